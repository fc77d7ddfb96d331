"""One value, and what cannot be one, in each format; each shape as a well-known tool writes it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from .project import Project, declared

PYTEST_BENCHMARK = (
    '{"machine_info": {}, "benchmarks": [{"name": "test_new[1]", "stats": {"mean": 0.0021, "rounds": 9}}]}'
)
HYPERFINE = (
    '{"results": [{"command": "old", "mean": 1.26, "user": 1.2}, {"command": "new --fast", "mean": 0.42, "user": 0.4}]}'
)
CRITERION = '{"mean": {"point_estimate": 1234.5, "standard_error": 3.2}}'
LM_EVAL = '{"results": {"hellaswag": {"acc,none": 0.7912, "alias": "hellaswag"}, "arc": {"acc,none": 0.5}}}'
COVERAGE = '{"meta": {"version": "7"}, "totals": {"percent_covered": 91.87, "num_statements": 1204}}'
COVERAGE_XML = '<?xml version="1.0" ?>\n<coverage version="7" line-rate="0.9187"><packages><package name="a"/></packages></coverage>'
JUNIT = '<testsuites><testsuite name="s" tests="3" failures="0"><testcase name="a" time="0.1"/><testcase name="b" time="0.3"/></testsuite></testsuites>'
PANDAS = ",model,p50_ms\n0,a,31.5\n1,b,84\n"
LINES = '{"run": 1, "loss": 2.5}\n\n{"run": 2, "loss": 1.25}\n'

ONE_VALUE = [
    ("pytest_json", PYTEST_BENCHMARK, "benchmarks[name=\"test_new[1]\"].stats.mean, unit: s", "2.1 ms"),
    ("hyperfine_json", HYPERFINE, 'results[command="new --fast"].mean, unit: s', "420 ms"),
    ("estimates_json", CRITERION, "mean.point_estimate, unit: ns", "1.23 µs"),
    ("lm_json", LM_EVAL, 'results.hellaswag."acc,none"', "79.1%"),
    ("lm_json", LM_EVAL, "results.hellaswag.acc,none", "79.12%"),
    ("coverage_json", COVERAGE, 'totals.percent_covered, unit: "%"', "92%"),
    ("coverage_xml", COVERAGE_XML, "coverage@line-rate", "91.9%"),
    ("junit_xml", JUNIT, "testsuites.testsuite@tests", "3"),
    ("junit_xml", JUNIT, "testsuites.testsuite.testcase[name=b]@time, unit: s", "0.3 s"),
    ("junit_xml", JUNIT, "testsuites.testsuite.testcase[*], aggregate: count", "2"),
    ("frame_csv", PANDAS, "[model=b].p50_ms", "84 ms"),
    ("frame_csv", PANDAS, '[""=0].p50_ms', "31.5 ms"),
    ("frame_csv", PANDAS, "[-1].p50_ms", "84 ms"),
    ("frame_csv", PANDAS, "[*].p50_ms, aggregate: mean", "57.75 ms"),
    ("frame_csv", PANDAS, "[*].p50_ms, aggregate: median", "57.75 ms"),
    ("frame_csv", PANDAS, "[*].p50_ms, aggregate: sum", "115.5 ms"),
    ("frame_csv", PANDAS, "[*].p50_ms, aggregate: min", "31.5 ms"),
    ("frame_tsv", PANDAS.replace(",", "\t"), "[1].p50_ms", "84 ms"),
    ("log_jsonl", LINES, "[run=2].loss", "1.25"),
    ("log_jsonl", LINES * 2, "[run=1][-1].loss", "2.5"),
    ("log_jsonl", LINES * 2, "[run>1][0].loss", "1.25"),
    ("runs_json", '{"r": [{"k": "a", "v": 1}, {"k": "a", "v": 2}]}', "r[k=a][-1].v", "2"),
    ("log_jsonl", LINES, "[*].loss, aggregate: max", "2.5"),
    ("conf_toml", "[run]\nbatch = 32\nratio = 1.50\n", "run.batch", "32"),
    ("conf_toml", "[[run]]\nid = 1\nx = 2\n[[run]]\nid = 2\nx = 3\n", "run[id=2].x", "3"),
    ("conf_yaml", "runs:\n  - {name: a, speed: 3.2x}\n", "runs[name=a].speed", "3.2x"),
    ("conf_yaml", "size: 512 MiB\n", "size", "0.5 GiB"),
    ("params_json", '{"results": [{"parameters": {"threads": "4"}, "mean": 2}]}', "results[parameters.threads=4].mean, unit: s", "2 s"),
    ("num_json", '{"rows": [{"batch": 8.0, "qps": 1e3}]}', "rows[batch=8].qps", "1,000"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "at", "text"), ONE_VALUE)
def test_a_value_is_quoted(tmp_path: Path, name: str, content: str, at: str, text: str) -> None:
    path, _, options = at.partition(", ") if not at.endswith("acc,none") else (at, "", "")
    file = ".".join(name.rsplit("_", 1))
    datum = f"x: {{file: {file}, at: '{path}'" + (f", {options}" if options else "") + "}"
    document = declared(datum, text=f"It is [{text}](fact:x).")
    assert Project(tmp_path).write(README_md=document, **{name: content}).lines() == []


NO_VALUE = [
    ("a_json", '{"x": null}', "x", "x in a.json is null; name a number"),
    ("a_json", '{"x": NaN}', "x", "x in a.json is NaN, which is no finite number; name a number"),
    ("a_json", '{"x": -Infinity}', "x", "x in a.json is -Infinity, which is no finite number; name a number"),
    ("a_json", '{"x": 1' + "0" * 5000 + "}", "x", "x in a.json is a number of 5001 characters; 400 are the most; name a number"),
    ("a_json", '{"x": true}', "x", "x in a.json is true; name a number"),
    ("a_json", '{"x": "about 5"}', "x", "x in a.json is the text `about 5`, which is not one number; name a number"),
    ("a_json", '{"x": "1,5"}', "x", "x in a.json is the text `1,5`, which is no number (its comma groups no three digits; decimals take a point); name a number"),
    ("a_json", '{"x": [1, 2]}', "x[2]", "a.json: x has 2 items, so there is none at 2"),
    ("a_json", '{"x": 1}', "y", "a.json: the file has no key y; it has x"),
    ("a_json", '{"x": 1}', "x.y", "a.json: x is a value, so it has no key y"),
    ("a_json", '{"x": [{"k": 1}]}', "x.k", "a.json: x is a list: name an item, as [0] or [field=value], so it has no key k"),
    ("a_json", '{"x": [{"k": "a", "v": 1}]}', "x[k=b].v", "a.json: no item of x has k = b; k is a"),
    ("a_json", '{"x": [{"k": "a", "v": 1}]}', "x[kk=b].v", "a.json: no item of x has kk = b: none has a field kk; did you mean k?"),
    ("a_csv", "k,v\na,1\na,2\n", "[k=a].v", "a.csv: 2 items of the file have k = a; add a field that tells them apart, or name an aggregate"),
    ("a_csv", "k,v\na,\n", "[k=a].v", "[k=a].v in a.csv is empty; name a number"),
    ("a_csv", "k,v\na,1\n", "v", "a.csv: the file is rows: name one, as [field=value], or all, as [*], before .v"),
    ("a_csv", "k,v\na,1\n", "[k=a", "`[k=a` is no step of a path; write .key, .\"any key\", [0], [field=value], [*] or @attribute"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "at", "message"), NO_VALUE)
def test_what_is_no_value_is_told_where_it_is_declared(
    tmp_path: Path, name: str, content: str, at: str, message: str
) -> None:
    document = declared(f"x: {{file: {'.'.join(name.rsplit('_', 1))}, at: '{at}'}}")
    assert Project(tmp_path).write(README_md=document, **{name: content}).messages() == [message]


BROKEN = [
    ("a_json", '{"x": 1', "a.json cannot be read: it is no JSON: Expecting ',' delimiter in line 1, column 8"),
    ("a_json", '{"x": 1, "x": 2}', "a.json cannot be read: the key x is given twice in one object"),
    ("a_json", "[" * 100_000, "a.json cannot be read: its JSON is nested too deep"),
    ("a_json", b'{"x": "\xff"}', "a.json cannot be read: byte 7 of it is not UTF-8"),
    ("a_yaml", "x: &a 1\n", "a.yaml cannot be read: it is no YAML that flopkb reads: `&a` is an anchor: remove it, and write values out (or quote the text) (line 1, column 4)"),
    ("a_toml", "x = \n", "a.toml cannot be read: it is no TOML: Invalid value (at line 1, column 5)"),
    ("a_csv", "a,a\n1,2\n", "a.csv cannot be read: two columns are named a"),
    ("a_csv", "a,b\n1\n", "a.csv cannot be read: line 2 has 1 cells where the header has 2"),
    ("a_csv", "", "a.csv cannot be read: it has no header; the first line names the columns"),
    ("a_jsonl", '{"x": 1}\n{"x"}\n', "a.jsonl cannot be read: in line 2 it is no JSON: Expecting ':' delimiter in line 1, column 5"),
    ("a_xml", "<a><b></a>", "a.xml cannot be read: it is no XML: mismatched tag in line 1, column 9"),
    ("a_xml", '<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', "a.xml cannot be read: it declares entities of its own, which are not expanded; remove them"),
    ("a_txt", "1", "a.txt cannot be read: its format is not known by its name; state it, as format: csv (there are json, yaml, toml, xml, csv, tsv, jsonl, sqlite)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), BROKEN)
def test_what_cannot_be_read_is_told_where_it_is_declared(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    document = declared(f"x: {'.'.join(name.rsplit('_', 1))}")
    assert Project(tmp_path).write(README_md=document, **{name: content}).messages() == [message]


@pytest.fixture
def database(tmp_path: Path) -> Project:
    connection = sqlite3.connect(tmp_path / "runs.db")
    connection.execute("CREATE TABLE runs (model TEXT, old_ms REAL, new_ms INTEGER, note BLOB)")
    connection.executemany("INSERT INTO runs VALUES (?, ?, ?, x'00')", [("a", 30.5, 10), ("b", 82, 20)])
    connection.commit()
    connection.close()
    return Project(tmp_path)


def asked(query: str, more: str = "") -> str:
    return f'x: {{file: runs.db, query: "{query}"{more}}}'


@pytest.mark.parametrize(
    ("query", "more", "text"),
    [
        ("SELECT avg(old_ms) FROM runs", ", unit: ms", "[56.25 ms](fact:x)"),
        ("SELECT * FROM runs WHERE model = 'b'", "", "[82 ms](fact:x.old_ms), [20 ms](fact:x.new_ms)"),
        ("SELECT model, old_ms / new_ms AS ratio FROM runs", "", "[3.1-4.1](fact:x.ratio)"),
        ("SELECT model, new_ms FROM runs", ", at: '[model=a].new_ms'", "[10 ms](fact:x)"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT sum(i) FROM n", "", "[45](fact:x)"),
    ],
)  # fmt: skip
def test_a_database_is_asked_by_a_query(database: Project, query: str, more: str, text: str) -> None:
    assert database.write(README_md=declared(asked(query, more), text=text)).lines() == []


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT note FROM runs WHERE model = 'a'", "runs.db is null; name a number"),
        ("SELECT missing FROM runs", "its query fails: no such column: missing"),
        ("DELETE FROM runs", "its query fails: not authorized"),
        ("ATTACH 'other.db' AS other", "its query fails: not authorized"),
        ("PRAGMA table_info(runs)", "its query fails: not authorized"),
        ("SELECT load_extension('x')", "its query fails: not authorized to use function: load_extension"),
        ("SELECT 1; DELETE FROM runs", "its query fails: You can only execute one statement at a time."),
        ("SELECT model, model FROM runs", "its query names two columns model; name each with AS"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", "its query fails: interrupted"),
    ],
)  # fmt: skip
def test_what_a_query_may_not_or_cannot_do(database: Project, query: str, reason: str) -> None:
    (message,) = database.write(README_md=declared(asked(query))).messages()
    assert reason in message


def test_only_a_database_takes_a_query_and_it_must(database: Project) -> None:
    data = "x: runs.db\nz: {file: a.json, query: SELECT 1}"
    assert database.write(README_md=declared(data), a_json="{}").messages() == [
        "runs.db cannot be read: a database takes a query: SELECT ...",
        "a.json cannot be read: only a database takes a query",
    ]
