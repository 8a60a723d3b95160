#include "json-out.h"

#include "tap.h"

#include <math.h>

int main(void)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, tight = BUF_INIT;

	buf_addstr(&b, " {");
	json_string(&b, "text", "a \"b\"\n");
	json_null(&b, "nothing");
	json_int(&b, "whole", -7);
	json_bool(&b, "good", true);
	buf_addstr(&b, ",\n  ");
	json_real(&b, "half", .5);
	json_real(&b, "zero", -0.0);
	json_real(&b, "infinite", INFINITY);
	json_key(&b, "object");
	buf_addch(&b, '{');
	json_key(&b, "list");
	buf_addstr(&b, "[]}}");
	IS_STR(buf_str(&b),
		" {\"text\": \"a \\\"b\\\"\\n\", \"nothing\": null, \"whole\": -7, \"good\": true,\n"
		"  \"half\": 0.5, \"zero\": 0, \"infinite\": null, \"object\": {\"list\": []}}",
		"members, and commas between them");
	buf_addch(&tight, '{');
	json_tight_string(&tight, "a", NULL);
	json_tight_key(&tight, "b");
	buf_addstr(&tight, "1}");
	IS_STR(buf_str(&tight), "{\"a\":null,\"b\":1}", "... without blanks");
	return tap_done();
}
