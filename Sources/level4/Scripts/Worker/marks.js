'use strict';

// Which call's code runs, up to which calls were begun, and which have done something that another can notice, where the
// server reads it whatever this process does: numbers in a file that both have open. Some are the server's: which calls
// others do. Each side first tells, then asks: whichever of both is later sees what the other has done.

const { readSync, writeSync } = require('fs');
const { createHook } = require('async_hooks');
const { current, outside } = require('./calls');

const DESCRIPTOR = 4;

/** Where the numbers are: the first two stand together. */
const RUNNING = 0, BEGUN = 1, SKIPPED = 2, ALL_ACTED = 3, ACTED = 8;
/** How many calls have a place of their own; those of a worker that are under way are fewer. */
const PLACES = 4096;
const MOVED = ACTED + PLACES;

class Marks {
  constructor() {
    this.running = 0;
    this.begun = 0;
    this.isOn = false;
    this.isResetting = false;
    /** On their way to the file or from it. */
    this.numbers = new Float64Array(2);
  }

  /** Begins, where the server has opened the file. */
  open() {
    this.isOn = true;
    createHook({ before: () => this.runs(current()?.id ?? 0) }).enable();
  }

  /** Notes whose code runs from now on; 0 for nobody's. */
  runs(id) {
    if (this.running === id) return;
    this.running = id;
    this.write(RUNNING, id);
    if (id) this.reset();
  }

  /** Has nobody's code run once the loop comes round. */
  reset() {
    if (this.isResetting) return;
    this.isResetting = true;
    outside(() => setImmediate(() => {
      this.isResetting = false;
      this.runs(0);
    }));
  }

  /** Notes that a call is about to begin. Gives false where the server has had another process begin it. */
  begins(id) {
    if (!this.isOn) return true;
    this.running = this.begun = id;
    this.write(RUNNING, id, id);
    if (id <= this.read(SKIPPED)) {
      this.runs(0);
      return false;
    }
    this.reset();
    return true;
  }

  /** Notes that a call is about to do what another can notice. Gives false where another process does the call. */
  acts(id) {
    if (!this.isOn) return true;
    this.write(ACTED + (id % PLACES), id);
    return this.read(MOVED + (id % PLACES)) !== id;
  }

  /** The same, where it isn't known which of the calls does it. */
  someActs() {
    this.write(ALL_ACTED, this.begun);
  }

  write(place, first, second) {
    if (!this.isOn) return;
    const { numbers } = this;
    numbers[0] = first;
    if (second !== undefined) numbers[1] = second;
    // A script that closes descriptors has itself to blame that its worker is ended sooner.
    try { writeSync(DESCRIPTOR, numbers, 0, second === undefined ? 8 : 16, 8 * place); } catch { this.isOn = false; }
  }

  read(place) {
    const { numbers } = this;
    // Where nothing was written yet, nothing is read.
    numbers[0] = 0;
    try { readSync(DESCRIPTOR, numbers, 0, 8, 8 * place); } catch { this.isOn = false; }
    return numbers[0];
  }
}

module.exports = { marks: new Marks() };
