// The way of changes to the server: sent, decided by the person where somebody else wrote meanwhile, and taken back.
import { resolveConflict } from "./conflict.js";
import { same } from "./json.js";
import { Sender } from "./sending.js";
import { differences } from "./staging.js";
import { reversal } from "./undo.js";

// Milliseconds after which the page gets to draw between two changes.
const LONGEST_TURN = 30;

// Whether a sending or an undoing is under way, of which there is one at a time; "change" tells of its begin and end.
export class Turn extends EventTarget {
  #isBusy = false;

  get isBusy() {
    return this.#isBusy;
  }

  set isBusy(isBusy) {
    this.#isBusy = isBusy;
    this.dispatchEvent(new Event("change"));
  }
}

// `kept` is the table's {staging, steps, turn}, which outlive a view; `say` is told what came of a sending.
export class Outbox {
  constructor(view, kept, { names, say }) {
    Object.assign(this, kept, { view, names, say });
    this.words = view.words.edit;
    this.sender = new Sender(view.api, view.table);
  }

  get canUndo() {
    return this.steps.size > 0 && !this.turn.isBusy;
  }

  // Sends changes. Returns what is left to tell: [{change, error}].
  async send(changes, progress = {}) {
    if (this.turn.isBusy) return [{ change: null, error: this.words.stillSending }];
    return this.#alone(async () => {
      const writes = [];
      let ends = [];
      try {
        ends = await this.#settleAll(changes, progress, (write) => writes.push(write));
      } finally {
        this.steps.push(writes);
      }
      this.#tell([this.#count(ends, "done", this.words.sent), this.#count(ends, "there", this.words.there)]);
      return ends.filter(({ error }) => error);
    });
  }

  // Takes the last writes back, each by the version that it made. Returns whether some of it is left to be reviewed.
  async undo() {
    if (!this.canUndo) return false;
    const writes = this.steps.last.toReversed();
    const changes = writes.map((write) => reversal(write, this.names));
    if (changes.some(({ key }) => this.staging.get(key))) {
      this.say(this.words.undoStaged);
      return false;
    }
    return this.#alone(async () => {
      this.steps.pop();
      const ends = await this.#settleAll(changes);
      this.steps.took(ends.map(({ row, state }, place) => ({ write: writes[place], row, state }))
        .filter(({ state }) => state === "done"), this.names);
      const troubles = ends.filter(({ error }) => error);
      // Where the person has staged something else for the row meanwhile, the step waits instead.
      const waiting = troubles.filter(({ change }) => this.staging.get(change.key) !== change
        && !this.staging.replace(null, change)).map(({ change }) => change.key);
      this.steps.push(this.steps.ofKeys(writes, waiting).toReversed());
      const isAnew = ends.some(({ state, change }) => state === "done" && change.kind === "insert");
      this.#tell([this.#count(ends, "done", isAnew ? () => this.words.undoneAnew : this.words.undone),
        this.#count(ends, "there", this.words.there), troubles[0]?.error]);
      return troubles.length > 0;
    });
  }

  async #alone(work) {
    this.turn.isBusy = true;
    try {
      return await work();
    } finally {
      this.turn.isBusy = false;
    }
  }

  #count(ends, wanted, words) {
    const count = ends.filter(({ state }) => state === wanted).length;
    return count > 0 ? words(count) : null;
  }

  #tell(sentences) {
    const text = sentences.filter(Boolean).join(" ");
    if (text !== "") this.say(text);
  }

  // What became of each change that was sent: {change, state, error, row}; `wrote` is told of each write that can be
  // undone.
  async #settleAll(changes, progress = {}, wrote = () => {}) {
    const staged = new Set(changes.filter((change) => this.staging.get(change.key) === change));
    const results = await this.sender.sendAll(changes, progress);
    const ends = [];
    let began = performance.now();
    for (const change of changes) {
      const result = results.get(change.key);
      if (!result) continue;
      ends.push(await this.#settle(change, result, staged.has(change) ? change : null, wrote));
      if (performance.now() - began < LONGEST_TURN) continue;
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    return ends;
  }

  // Goes on until a change is done or given up, as another write may come between each time. `held` is what is staged
  // of it: what the person stages for the row meanwhile is another change, and stays.
  async #settle(first, firstResult, isHeld, wrote) {
    let [change, result, held, write] = [first, firstResult, isHeld, null];
    const put = (next) => {
      if (this.staging.replace(held, next)) held = next;
      change = next;
    };
    for (;;) {
      if (result.state === "done") write = joined(write, { before: change.base, after: result.row });
      // Whose work it is that was found nobody knows, so that nothing of it may be taken back.
      if (result.state === "there") write = null;
      const isWritten = result.state === "done" || result.state === "there";
      if (isWritten && change.next) {
        const isOthers = result.state === "there" && differences(change.base, result.row, this.names).length > 0;
        put({ key: change.key, id: change.id, base: isOthers ? change.base : result.row, values: new Map(),
          ...change.next });
        result = isOthers ? { state: "conflict", row: result.row } : await this.sender.send(change);
        continue;
      }
      if (result.state !== "conflict" && result.state !== "gone") break;
      // Somebody else has brought it back already: what follows is left.
      if (change.kind === "undelete" && change.next && result.row !== null && result.row.deleted !== true) {
        put({ key: change.key, id: change.id, base: change.base, ...change.next });
      }
      const choice = await resolveConflict(this.view, change, result.row);
      if (choice === "later") {
        if (write) wrote(write);
        return { change, state: "later", error: result.error ?? this.words.stillConflict };
      }
      if (choice === null) {
        if (write) wrote(write);
        this.staging.release(first.key, held);
        this.#show(result.row, change);
        return { change, state: "given up" };
      }
      put(choice);
      result = await this.sender.send(change);
    }
    if (write) wrote(write);
    if (result.state !== "done" && result.state !== "there") {
      return { change, state: result.state, error: this.words.states[result.state](result.error) };
    }
    // Only what the server answered is known to be one's own, and so what an edit of meanwhile may be based on.
    this.staging.release(first.key, held, first.base, result.state === "done" ? result.row : null);
    this.#show(result.row, change, result.state === "done");
    return { change, state: result.state, row: result.row };
  }

  // Shows a row as it is now; one's own new row at the top.
  #show(row, { id, kind }, isOwn = false) {
    const { grid } = this.view;
    if (row === null) return void grid.removeRow(String(id));
    const showsDeleted = this.view.grid.columns.showsDeleted;
    if (row.deleted === true && !showsDeleted) return void grid.removeRow(String(row.id));
    if (!grid.replaceRow(row) && kind === "insert" && isOwn) grid.insertRow(row, 0);
  }
}

// Two writes of one row, the second over the version that the first made, are undone as one. After another's write
// between them only the second can be.
function joined(one, other) {
  const isNext = one !== null && one.after !== null && other.before !== null
    && same(one.after.version, other.before.version);
  return isNext ? { before: one.before, after: other.after } : other;
}
