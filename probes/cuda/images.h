/*
 * images: the fat binaries of kernels/, one for each source, by enum image.
 */
#ifndef IMAGES_H
#define IMAGES_H

extern const void *const images[];

#endif
