/*
 * Numbers for a site: reads SHAs and their times, oldest first, one a line; writes samples, one a line
 * (perfgate-formats(7)), of a few suites with steps, a series that ends and hostile names.
 */
"use strict";
const commits = require("fs").readFileSync(0, "utf8").trim().split("\n").map((l) => l.split(" "));
const EACH = 3, RUNNER = "x86_64-made-up";
let state = 42;

/* The middle of twelve evenly distributed numbers, from a generator of Lehmer's. */
function normal()
{
	let sum = -6;

	for (let i = 0; i < 12; i++) {
		state = state * 48271 % 2147483647;
		sum += state / 2147483647;
	}
	return sum;
}

function line(i, fields, value)
{
	const [commit, at] = commits[i];

	process.stdout.write(JSON.stringify({commit, committed_at: at, started_at: at, runner: RUNNER, session: `night ${i}`, ...fields, value}) + "\n");
}

/* from: the commit at which it steps by that share; until: the last that has it. */
function series(fields, level, noise, {from = Infinity, by = 0, until = Infinity} = {})
{
	commits.forEach((commit, i) => {
		const here = level * (i >= from ? 1 + by : 1), night = 1 + noise / 2 * normal();
		if (i > until)
			return;
		for (let k = 0; k < EACH; k++)
			line(i, fields, noise ? here * night * (1 + noise * normal()) : Math.round(here));
	});
}

const time = (suite, benchmark) => ({suite, benchmark, metric: "time", unit: "s", direction: "lower"});
const last = commits.length;

series({...time("parser", "parse/large"), metric: "B/op", unit: "B"}, 3355443, 0, {from: last - 20, by: -.21});
series({...time("parser", "parse/large"), metric: "allocs/op", unit: "count"}, 33823, 0, {from: last - 9, by: .03});
series({...time("parser", "parse/large"), metric: "sec/op"}, .0123, .01, {from: last - 14, by: .12});
for (const name of ["small", "empty", "deep", "wide", "comments", "strings", "numbers", "unicode", "errors"])
	series(time("parser", `parse/${name}`), 3e-6 * name.length, .02);
series(time("render", "render tree, <i>all</i> of it"), .8, .012, {from: last - 12, by: 2});
series({...time("render", "render tree, <i>all</i> of it"), metric: "throughput", unit: "B/s", direction: "higher"}, 4e8, .02,
	{from: last - 30, by: .3});
series(time("render", "old thing"), 2.2, .03, {until: last - 15});
series(time("render", "newest points"), 1.4, .01, {from: last - 2, by: .2});
/* Charts of one point, of nothing but zeroes, below zero, across it, and of the largest numbers. */
const SHAPES = {one: [[0, 7]], zeroes: [[0, 0], [1, 0], [2, 0]], below: [[0, -5], [1, -6], [2, -5.5]], across: [[0, -5], [1, 6], [2, 0], [5, 3]],
	equal: [[0, 3], [9, 3]], huge: [[0, 1e308], [1, -1e308], [2, 9e307]], tiny: [[0, 3e-300], [1, 1e-300]], far: [[0, 1], [1, 2], [2, 1e12]]};
for (const [name, points] of Object.entries(SHAPES))
	for (const [i, value] of points)
		line(i, {suite: "render", benchmark: "shapes", metric: name, unit: "points", direction: "none"}, value);
series(time("<b>suite</b>", "<script>alert(1)</script>"), 17, .02);
series(time("<b>suite</b>", "\"><img src=x onerror=\"alert(2)\">"), 17, .02, {from: last - 10, by: .5});
series(time("<b>suite</b>", "' onclick='alert(3)"), 17, .02);
series(time("<b>suite</b>", "javascript:alert(4)//\u202egnp.exe\u2066"), 17, .02, {from: last - 8, by: .5});
series({...time("<b>suite</b>", "metric"), metric: "<img src=x onerror=alert(5)>", unit: "<b>u</b>"}, 17, .02, {from: last - 8, by: .5});
series(time("<b>suite</b>", "long ".repeat(800)), 17, .02);
series(time("<b>suite</b>", "x".repeat(4000)), 17, .02, {from: last - 8, by: .5});
