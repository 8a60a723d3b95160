/*
 * installed: where the program is, to find what belongs to it though its installation was moved as
 * a whole, or lies below DESTDIR.
 */
#ifndef INSTALLED_H
#define INSTALLED_H

/* The folder of the running program; NULL where the system does not say. The caller frees. */
char *installed_folder(void);

/* What was meant for the folder dir, seen from the program's own folder: NULL where that does not
 * end as it was meant to. The caller frees. */
char *installed_beside(const char *folder, const char *dir);

#endif
