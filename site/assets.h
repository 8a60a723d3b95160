/*
 * assets: the style sheet and the scripts of the site, in the binary (ci/embed.awk).
 */
#ifndef ASSETS_H
#define ASSETS_H

extern const char assets_charts_js[], assets_compare_js[], assets_site_css[], assets_site_js[];

#endif
