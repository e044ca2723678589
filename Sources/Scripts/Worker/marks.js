'use strict';

// Which call's code runs, and up to which calls were begun, where the server reads it whatever this process does: three
// numbers in a file that both have open. The third is the server's: up to which calls others do what was not begun.

const fs = require('fs');
const { createHook } = require('async_hooks');
const { current, outside } = require('./calls');

const DESCRIPTOR = 4;

class Marks {
  constructor() {
    this.numbers = new Float64Array(3);
    this.isOn = false;
    this.isResetting = false;
  }

  /** Begins, where the server has opened the file. */
  open() {
    this.isOn = true;
    createHook({ before: () => this.runs(current()?.id ?? 0) }).enable();
  }

  /** Notes whose code runs from now on; 0 for nobody's. */
  runs(id) {
    if (this.numbers[0] === id) return;
    this.numbers[0] = id;
    this.write(8);
    if (!id || this.isResetting) return;
    this.isResetting = true;
    // Once the loop comes round, nobody's does.
    outside(() => setImmediate(() => {
      this.isResetting = false;
      this.runs(0);
    }));
  }

  /** Notes that a call is about to begin. Gives false where the server has had another process begin it. */
  begins(id) {
    if (!this.isOn) return true;
    this.numbers[1] = id;
    this.numbers[0] = 0;
    // First told, then asked: whichever of both is later sees what the other has done.
    this.write(16);
    this.read();
    if (id <= this.numbers[2]) return false;
    this.runs(id);
    return true;
  }

  write(length) {
    if (!this.isOn) return;
    // A script that closes descriptors has itself to blame that its worker is ended sooner.
    try { fs.writeSync(DESCRIPTOR, this.numbers, 0, length, 0); } catch { this.isOn = false; }
  }

  read() {
    try { fs.readSync(DESCRIPTOR, this.numbers, 16, 8, 16); } catch { this.isOn = false; }
  }
}

module.exports = { marks: new Marks() };
