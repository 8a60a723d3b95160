/*
 * assets: the style sheet and the script of the site, in the binary (ci/embed.awk).
 */
#ifndef ASSETS_H
#define ASSETS_H

extern const char assets_site_css[], assets_site_js[];

#endif
