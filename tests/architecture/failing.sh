#!/bin/sh
# failing.sh [ROOT]: the one idiom for failing. A function that can fail ends with `return CONDITION || oro_fail(...);`, where the
# condition is one of success. A code, an error or a word for harm there would be true where something went wrong, and be taken for
# success: it is compared (`code == ORO_OK || ...`) or negated. Nothing else is made of oro_fail's value, which is always false.
set -eu
cd "${1:-.}"
# shellcheck disable=SC2016 # $0 is of awk
find . \( -path ./build -o -path ./out -o -path './.*' \) -prune -o -type f -name '*.[ch]' -print | LC_ALL=C sort | sed 's|^\./||' |
    tr '\n' '\0' | xargs -0 awk '
function complain(text) {
    print FILENAME ":" begins ": " text
    failed = 1
}
# A truth that is that of a failure: error.code, why->code, err, job->failed, ...
function tells_failure(operand) {
    gsub(/^[ (]+|[ )]+$/, "", operand)
    return operand ~ /^[a-z_0-9.>\[\]-]*(^|[_.>])(code|error|err|errno|failed|failure|lost|wrong|cancelled|broken|harm|problems)$/
}
function check(statement, parts, count, i) {
    if (statement ~ /(!|&& *)oro_fail(_v)?\(/)
        complain("oro_fail is always false; say `return CONDITION || oro_fail(...)`")
    if (statement !~ /^return .*\|\|/)
        return
    sub(/^return /, "", statement)
    gsub(/"([^"\\]|\\.)*"/, "\"\"", statement)
    count = split(statement, parts, / *\|\| */)
    for (i = 1; i < count; i++)
        if (tells_failure(parts[i]) && (parts[i] ~ /code\)*$/ || statement ~ /oro_fail/))
            complain("\"" parts[i] " || ...\" is true where something failed")
}
FNR == 1 { open = 0 }
!open && match($0, /(^|[ {)])return .*\|\||(!|&& *)oro_fail(_v)?\(|(^|[ {)])return [^;]*$/) {
    open = 1
    begins = FNR
    statement = ""
    sub(/^.*[ {)]return /, "return ")
}
open {
    gsub(/^ +/, "")
    statement = statement (statement == "" ? "" : " ") $0
    if (/;/ || /^$/ || /\*\/$/) {
        check(statement)
        open = 0
    }
}
END { exit failed }
'
