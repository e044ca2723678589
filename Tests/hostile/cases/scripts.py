"""Scripts that loop, fail and take what they get, and T-SQL that calculates without end, beside others who use scripts."""

import threading
import time

from registry import Allow, case
from wire import addresses, together

BAD = """
const kept = [];
exports.get = (req, res) => {
  switch (req.query.how) {
    case 'loop': for (;;) {}
    case 'later': setTimeout(() => { for (;;) {} }, 5); return;
    case 'microtasks': { const again = () => Promise.resolve().then(again); again(); return; }
    case 'blocked': require('child_process').execSync('sleep 60'); return;
    case 'rejection': Promise.reject(new Error('nobody takes this')); return;
    case 'timer': setTimeout(() => { throw new Error('from a timer'); }, 1); return;
    case 'exit': process.exit(3);
    case 'abort': process.abort();
    case 'kill': require('child_process').execSync('kill -9 ' + process.pid); return;
    case 'heap': { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())); }
    case 'buffers': setInterval(() => { for (let i = 0; i < 8; i++) kept.push(Buffer.alloc(1 << 22, 1)); }, 1); return;
    case 'lines': for (let i = 0; i < 20000; i++) console.log('x'.repeat(2000)); res.send('written'); return;
    case 'channel': require('fs').closeSync(3); return;
    default: res.send('fine');
  }
};
"""
GOOD = """
exports.get = async (req, res) => {
  if (req.query.wait) await new Promise((resolve) => setTimeout(resolve, 20));
  const rows = await req.azureMobile.tables('Probe').read(req.azureMobile.tables('Probe').take(5));
  res.json({ rows: rows.length });
};
"""
NOTES = """
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };
table.insert((context) => { context.item.text += '!'; return context.execute(); });
module.exports = table;
"""
FILES = {"api/bad.js": BAD, "api/good.js": GOOD, "tables/Notes.js": NOTES}
SETTINGS = "scripts: { memoryMegabytes: 64 }\n"


def beside(context, attack):
    """Lets an attack go on while others use scripts: each call of theirs is answered, and nearly all of them soon."""
    over = threading.Event()
    seen = []

    def use(number):
        client = context.client(addresses(40, 4)[number], token=context.token)
        while not over.is_set():
            for method, target, value in [
                ("GET", "/api/good", None), ("GET", "/api/good?wait=1", None), ("POST", "/tables/Notes", {"text": "a"}),
            ]:
                answer = client.ask(method, target, value)
                seen.append((answer.seconds, answer.status))
                time.sleep(0.02)

    users = [threading.Thread(target=use, args=(number,)) for number in range(4)]
    for user in users:
        user.start()
    try:
        attack()
    finally:
        over.set()
        for user in users:
            user.join()
    times = sorted(seconds for seconds, _ in seen)
    failed = [status for _, status in seen if status not in (200, 201)]
    p99 = times[len(times) * 99 // 100]
    context.note(f"{len(seen)} calls of others, {len(failed)} failed, p99 {p99:.2f} s, worst {times[-1]:.2f} s")
    # A call that has written something when its worker is ended can't be begun again.
    context.expect(len(failed) <= len(seen) // 200, f"{len(failed)} of {len(seen)} calls of others failed: {failed[:5]}")
    context.expect(p99 <= context.within(1), f"one of a hundred calls of others took more than {p99:.1f} s")


def ways(context, hows, callers, seconds):
    """Each caller calls one bad script after the other."""
    def attack():
        end = time.monotonic() + seconds

        def call(number):
            client, turn = context.client(addresses(30, callers)[number], timeout=60), number
            while time.monotonic() < end:
                answer = client.ask("GET", f"/api/bad?how={hows[turn % len(hows)]}")
                context.expect(answer.status != 0, f"{hows[turn % len(hows)]} got no answer: {answer.text[:100]!r}")
                turn += 1
                time.sleep(0.1)

        together(callers, call)

    beside(context, attack)


@case("script-loops", "scripts that hold their process up", quick=("sqlite",), files=FILES, settings=SETTINGS)
def script_loops(context):
    ways(context, ["loop", "later", "microtasks", "blocked"], 3, context.whole(25, 8))


@case("script-failures", "scripts that leave errors to nobody or end their process", quick=("sqlite",), files=FILES,
      settings=SETTINGS)
def script_failures(context):
    ways(context, ["rejection", "timer", "exit", "abort", "kill", "channel"], 3, context.whole(25, 8))


@case("script-bombs", "scripts that take memory and write without end", stores=("sqlite",), files=FILES,
      settings=SETTINGS)
def script_bombs(context):
    ways(context, ["heap", "buffers", "lines"], 2, context.whole(25, 8))


SQL = """
exports.post = (req, res, next) => req.azureMobile.data.execute(req.body).then((rows) => res.json(rows)).catch(next);
"""


def long_notes(context):
    client = context.client()
    for number in range(20):
        answer = client.ask("POST", "/tables/Big", {"id": str(number), "text": "t" * 900_000})
        context.expect(answer.status == 201, f"a text of 900 KB is answered {answer.status}")


@case("sql-bombs", "T-SQL with a user's values that calculates and writes without end", quick=True,
      tables={"Big": "columns: { text: string }\n"}, files={"api/sql.js": SQL}, prepare=long_notes,
      attacks={"write": Allow(2)})
def sql_bombs(context):
    def given(sql, **values):
        return {"sql": sql, "parameters": [{"name": name, "value": value} for name, value in values.items()]}

    pattern, long = "t" * 400_000 + "z", "u" * 500_000
    bombs = [
        given("UPDATE Big SET text = REPLACE(text, @a, @b)", a=pattern, b="x"),
        given("UPDATE Big SET text = REPLACE(text, @a, @b)", a="t", b=long),
        given("UPDATE Big SET text = REPLACE(text, 't', 'uu')"),
        given("SELECT LEN(" + "REPLACE(" * 20 + "text" + ", 't', 'tt')" * 20 + ") FROM Big"),
        given("SELECT id FROM Big WHERE " + "CONCAT(text, " * 12 + "text" + ")" * 12 + " = 'x'"),
        given("DECLARE @x nvarchar(max) = 'ab'" + "; SET @x = @x + @x" * 60),
        given("INSERT INTO Big (text) SELECT text FROM Big;" * 30),
        given("UPDATE Big SET text = text + 'x' WHERE (SELECT COUNT(*) FROM Big a, Big b, Big c, Big d, Big e) = 1"),
        given("SELECT COUNT(*) FROM Big a, Big b WHERE a.text < b.text + 'x'"),
    ]
    end = time.monotonic() + context.whole(30, 8)

    def ask(number):
        client, turn, worst = context.client(addresses(30, 3)[number], timeout=60), 3 * number, 0
        while time.monotonic() < end:
            answer = client.ask("POST", "/api/sql", bombs[turn % len(bombs)])
            context.expect(answer.status != 0, f"a bomb got no answer: {answer.text[:100]!r}")
            turn, worst = turn + 1, max(worst, answer.seconds)
        return worst

    worst = max(together(3, ask))
    context.note(f"the slowest bomb took {worst:.1f} s")
    context.expect(worst < context.within(20), f"a bomb is answered after {worst:.1f} s")
