#!/bin/sh
# Install a PostgreSQL server with the system's package manager, where that is allowed; none is started.
# Never fails: without one the tests on PostgreSQL say that they were skipped.
find_server() { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null; }
if find_server >/dev/null; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing postgresql for the tests of the database …"
    # Debian would make a cluster and start it; the tests make their own.
    mkdir -p /etc/postgresql-common && [ -e /etc/postgresql-common/createcluster.conf ] \
        || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Options::=--force-confold postgresql; } >/dev/null 2>&1 \
        || echo "The package manager refused; the tests on PostgreSQL will be skipped."
else
    echo "No PostgreSQL here (Debian: apt-get install postgresql); the tests on it will be skipped."
fi
exit 0
