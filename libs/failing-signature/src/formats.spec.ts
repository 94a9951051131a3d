import { failingSignature } from './failing-signature.js';
import { stableText } from './stable-text.js';

/** The tests that the output names, as `file > name > name`. */
const named = (output: string): string[] =>
  failingSignature(output).failingTests.map(({ file, names }) => [file, ...names].join(' > '));

const JEST = `
FAIL e2e src/orders.spec.ts (37.8 s)
  ● Console

    console.log
      ● not a test

  ● orders › pays

    Timed out

      at src/orders.spec.ts:5:1

FAIL api src/broken.spec.ts
  ● Test suite failed to run

    Cannot find module './gone.js'

Summary of all failing tests
FAIL e2e src/orders.spec.ts (37.8 s)
  ● orders › pays

    Timed out

Test Suites: 2 failed, 2 total
`;

const VITEST = `
⎯⎯⎯ Failed Suites 1 ⎯⎯⎯

 FAIL  |unit| src/gone.test.ts [ src/gone.test.ts ]
Error: Cannot find package 'x'
 ❯ src/gone.test.ts:1:1

⎯⎯⎯ Failed Tests 2 ⎯⎯⎯

 FAIL  |unit| src/a.test.ts > a > one
 FAIL  |unit| src/a.test.ts > a > two
AssertionError: expected 1 to be 2
 ❯ src/a.test.ts:3:3

 Test Files  2 failed (2)
`;

const PYTEST = `
==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_gone.py ____________________
E   ModuleNotFoundError: No module named 'gone'
=================================== FAILURES ===================================
________________________ test_key[a::b - c] ________________________
tests/test_key.py:4: in test_key
E   KeyError: 'a::b'
=========================== short test summary info ============================
ERROR tests/test_gone.py
FAILED tests/test_key.py::test_key[a::b - c] - KeyError: 'a::b'
========================= 1 failed, 1 error in 0.12s ==========================
`;

const PYTEST_WITHOUT_SUMMARY = `
=================================== FAILURES ===================================
_________________________ TestFile.test_exists _________________________

>       assert False
E       assert False

tests/test_store.py:9: AssertionError
1 failed, 2 passed in 0.09s
`;

const GO_VERBOSE = `
=== RUN   TestParse
=== RUN   TestParse/empty
    parse_test.go:6: want error
=== RUN   TestParse/nul
--- FAIL: TestParse (0.00s)
    --- FAIL: TestParse/empty (0.00s)
    --- PASS: TestParse/nul (0.00s)
FAIL
FAIL	example.org/acme/parse	0.003s
ok  	example.org/acme/lex	0.002s
FAIL
`;

const GO_JSON = ['--- FAIL: TestLex (0.01s)\n', '    lex_test.go:9: no\n', 'FAIL\n', 'FAIL\texample.org/lex\t0.0s\n']
  .map((Output) =>
    JSON.stringify({ Time: '2026-11-30T09:00:00Z', Action: 'output', Package: 'example.org/lex', Output }),
  )
  .join('\n');

const GO_BUILD = `
# example.org/acme/parse [example.org/acme/parse.test]
./parse_test.go:7:2: undefined: Pars
FAIL	example.org/acme/parse [build failed]
FAIL
`;

const CARGO = `
     Running unittests src/lib.rs (target/debug/deps/chain-f672a48b2177a954)
test result: ok. 2 passed; 0 failed
     Running tests/proofs.rs (target/debug/deps/proofs-01c9d3aa52e7b6f0)
test consistency ... FAILED

---- consistency stdout ----

thread 'consistency' panicked at tests/proofs.rs:6:9:
no proof

failures:
    consistency

test result: FAILED. 0 passed; 1 failed
`;

const NEXTEST = `
        PASS [   0.004s] (1/2) chain tests::genesis
        FAIL [   0.005s] (2/2) chain tests::links_next
`;

const JUNIT = `<testsuites><testsuite name="outer"><testsuite name="inner">
  <testcase classname="tests.test_a" name="test_one"><failure message="no"><![CDATA[at line 5]]></failure></testcase>
  <testcase classname="tests.test_a" name="test_two"><skipped/></testcase>
  <testcase classname="tests.test_a" name="test_three"><system-out>failure</system-out></testcase>
</testsuite></testsuite></testsuites>`;

const TAPE = `TAP version 13
# reads
ok 1 should be equal
not ok 2 should be truthy
  ---
    operator: ok
    expected: true
    actual: false
    at: Test.<anonymous> (/srv/acme/test/reads.js:7:5)
  ...
not ok 3 later # TODO not yet

1..3
`;

const NODE = `▶ first
  ✔ opens (0.1ms)
  ✖ closes (1.2ms)
✖ first (2.1ms)
▶ second
  ▶ inner
    ✖ closes (1.2ms)
  ✖ inner (2ms)
✖ second (2.1ms)
ℹ tests 3

✖ failing tests:

test at test/a.test.js:7:3
✖ closes (1.2ms)
  Error: one

test at test/a.test.js:17:3
✖ closes (1.2ms)
  Error: two
`;

const MOCHA = `
  1 passing (8ms)
  2 failing

  1) queue
       "before each" hook for "drains":
     Error: no queue
      at node:internal/process/task_queues:95:5
      at Context.<anonymous> (test/queue.js:3:9)

  2) outbox
       drains
         in order:
     Error: no order
      at Context.<anonymous> (test/outbox.js:9:9)
`;

it.each([
  [
    'jest, with projects, a file that does not load and a summary',
    JEST,
    ['src/broken.spec.ts', 'src/orders.spec.ts > orders > pays'],
  ],
  [
    'vitest, with projects, a file that does not load and two tests that fail alike',
    VITEST,
    ['src/a.test.ts > a > one', 'src/a.test.ts > a > two', 'src/gone.test.ts'],
  ],
  [
    'pytest, with an error of collection and parameters that look like a border',
    PYTEST,
    ['tests/test_gone.py', 'tests/test_key.py > test_key[a::b - c]'],
  ],
  ['pytest without its short summary', PYTEST_WITHOUT_SUMMARY, ['tests/test_store.py > TestFile > test_exists']],
  ['go test -v', GO_VERBOSE, ['example.org/acme/parse > TestParse > empty']],
  ['go test -json', GO_JSON, ['example.org/lex > TestLex']],
  ['cargo test of an integration test', CARGO, ['proofs > consistency']],
  ['cargo-nextest', NEXTEST, ['chain > tests > links_next']],
  ['a JUnit report with nested suites', JUNIT, ['tests.test_a > test_one']],
  ['TAP of tape', TAPE, ['test/reads.js > should be truthy']],
  [
    'node:test with one name in two suites',
    NODE,
    ['test/a.test.js > first > closes', 'test/a.test.js > second > inner > closes'],
  ],
  [
    'mocha, with a hook',
    MOCHA,
    ['test/outbox.js > outbox > drains > in order', 'test/queue.js > queue > "before each" hook for "drains"'],
  ],
])('L3: names the failing tests of %s', (_what, output, expected) => {
  expect(named(output)).toEqual(expected);
});

it.each([
  ['go test -v', GO_VERBOSE, 'want error'],
  ['cargo test', CARGO, 'no proof'],
  ['pytest', PYTEST, "'a::b'"],
  ['vitest', VITEST, 'expected 1 to be 2'],
  ['mocha', MOCHA, 'no order'],
  ['go build', GO_BUILD, 'undefined: Pars'],
])('L3: another message of %s is another failure', (_what, output, message) => {
  const other = output.replaceAll(message, 'something else');
  expect(failingSignature(other, { status: 1 })).not.toEqual(failingSignature(output, { status: 1 }));
});

it.each([
  ['a time', 'at 2026-11-30T09:00:00.123Z failed', 'at 2026-12-01 10:11:12 failed'],
  ['an id', 'row 7e57f00d-0000-4000-a000-000000000001', 'row 00000000-0000-4000-a000-00000000000f'],
  ['a commit', 'at 4f2a9c11e0b7d3', 'at 0b7d34f2a9c11e'],
  ['a port of a host name', 'http://localhost:40117/x', 'http://localhost:51002/x'],
  ['a port of an IPv6 address', '[::1]:40117', '[::1]:51002'],
  ['a temporary folder', "ENOENT: open '/tmp/a-91/x.json'", "ENOENT: open '/var/folders/zz/T/b/x.json'"],
  ['a Windows path', 'in C:\\Users\\a\\x.ts:7:1', 'in D:\\b\\y.ts:12:9'],
  ['a duration', 'took 12.5ms', 'took 3 s'],
  ['a place in a file', 'src/a.ts:7:9 no', 'src/a.ts:12:1 no'],
  ['a place of a compiler', 'src/a.ts(7,9): no', 'src/a.ts(12,1): no'],
  ['white space', 'a\n  b', 'a b '],
  ['a process', 'pid 4711 died', 'pid 12 died'],
])('L3: %s does not count', (_what, one, other) => {
  expect(stableText(one)).toBe(stableText(other));
});

it.each([
  ['a number', '119', '120'],
  ['a small fraction', '0.1', '0.2'],
  ['another file', 'src/a.ts:7:9', 'src/b.ts:7:9'],
  ['a status code', 'expected 200', 'expected 404'],
  ['another host', 'http://localhost:1/x', 'http://127.0.0.1:1/x'],
])('L3: %s does count', (_what, one, other) => {
  expect(stableText(one)).not.toBe(stableText(other));
});
