/*
 * kernels: the OpenCL C that runs on devices, embedded from probes/opencl/NAME.cl at build time
 * (ci/embed.awk). opencl_vectors goes before any of the others.
 */
#ifndef KERNELS_H
#define KERNELS_H

extern const char opencl_vectors[];
extern const char opencl_chain[];
extern const char opencl_count[];
extern const char opencl_global[];
extern const char opencl_image[];
extern const char opencl_local[];

#endif
