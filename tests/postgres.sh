# A PostgreSQL server of a test's own: . "$srcdir/tests/postgres.sh" after lib.sh.
#
#     server_start           sets it up and starts it: a private data folder and socket, no network
#     server_stop, server_kill, server_again    ends it, kills it all (-9), starts it anew
#     database NAME          a new database; prints its address
#     sql NAME STATEMENT     as its owner, unaligned and without headings
#
# Where the server's programs are not installed, or it cannot be started, the script is skipped. As
# root the server runs as nobody, since it refuses to be root.

postgres_bin()
{
	for folder in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin /usr/local/pgsql/bin \
		/opt/homebrew/opt/postgresql*/bin; do
		[ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && echo "$folder" && return
	done
	dirname "$(command -v initdb 2>/dev/null)" 2>/dev/null
}

as_server()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"
	else
		"$@"
	fi
}

server_again()
{
	# a server wants to know where it is, which another user's folder does not tell
	(cd "$pg_home" && as_server "$pg_bin/pg_ctl" -D data -l log -w -t 60 \
		-o "-c listen_addresses= -c unix_socket_directories=$pg_home -c max_connections=40" start) >/dev/null 2>&1
}

server_stop()
{
	(cd "$pg_home" && as_server "$pg_bin/pg_ctl" -D data -m immediate stop) >/dev/null 2>&1
}

# Whether a process has ended; one that nobody has waited for is no process any more.
gone()
{
	case $(ps -o stat= -p "$1") in '' | Z*) ;; *) false ;; esac
}

# The postmaster, whose children then end by themselves. Its lock files go, too: where nobody waits for
# orphans, its number would stay in use.
server_kill()
{
	postmaster=$(head -n 1 "$pg_home/data/postmaster.pid")
	children=$(ps -o pid= --ppid "$postmaster")
	kill -9 "$postmaster"
	for child in $postmaster $children; do
		tries=600
		until gone "$child" || [ $tries -eq 0 ]; do tries=$((tries - 1)); sleep .05; done
	done
	rm -f "$pg_home/data/postmaster.pid" "$pg_home"/.s.PGSQL.*
}

server_start()
{
	pg_bin=$(postgres_bin)
	[ -n "$pg_bin" ] && [ -x "$pg_bin/initdb" ] || skip_all "no PostgreSQL server is installed here"
	command -v psql >/dev/null || skip_all "psql is not installed"
	[ "$(id -u)" -ne 0 ] || command -v setpriv >/dev/null ||
		skip_all "setpriv is not installed, and the server refuses to run as root"
	# the path of a socket may have 107 bytes
	pg_home=$(mktemp -d /tmp/perfgate-pg.XXXXXX) || exit 99
	trap 'server_stop; rm -rf "$pg_home"; cd / && chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT
	[ "$(id -u)" -ne 0 ] || chown nobody "$pg_home"
	# fsync is for power failures, which no test makes
	(cd "$pg_home" && as_server "$pg_bin/initdb" -D data -U owner -A trust -E UTF8 --locale=C -N) >"$tmp/initdb" 2>&1 ||
		{ comment <"$tmp/initdb"; skip_all "initdb fails here"; }
	echo "fsync = ${pg_fsync:-off}" >>"$pg_home/data/postgresql.conf"
	server_again || { tail -n 20 "$pg_home/log" | comment; skip_all "the server does not start here"; }
	chmod 711 "$pg_home"
}

sql()
{
	psql -X -q -A -t -v ON_ERROR_STOP=1 -h "$pg_home" -U owner -d "$1" -c "$2"
}

address()
{
	echo "postgresql://${2:-owner}@/$1?host=$pg_home"
}

database()
{
	sql postgres "CREATE DATABASE $1 TEMPLATE template0" >&2 || exit 99
	address "$1"
}

# ---- the stores of a script that runs by way of tests/on-postgres.sh ----

# The database that stands in for a file; another one each time that it was removed.
database_of()
{
	name=s$(realpath -m -- "$1" | sha256sum | cut -c1-24)
	echo "$name$(cat "$pg_known/removed-$name" 2>/dev/null)"
}

database_query()
{
	PGOPTIONS="-c search_path=perfgate" sql "$(database_of "$1")" "$2"
}

database_forget()
{
	name=s$(realpath -m -- "$1" | sha256sum | cut -c1-24)
	printf x >>"$pg_known/removed-$name"
}
