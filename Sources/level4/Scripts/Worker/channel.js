'use strict';

// Messages to the server and from it: four bytes of length, the highest first, and JSON.

const { randomUUID } = require('crypto');
const { writeSync } = require('fs');

const MOST = 64 * 1024 * 1024;

/** How deep values may be nested; the server reads some more. */
const DEEPEST = 48;

function isDeeper(value, most) {
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  if (value instanceof Written) return isDeeper(value.value, most);
  const told = typeof value.toJSON === 'function' ? value.toJSON() : value;
  if (typeof told !== 'object' || told === null) return false;
  if (most === 0) return true;
  if (Array.isArray(told)) return told.some((each) => isDeeper(each, most - 1));
  for (const name in told) {
    const member = told[name];
    // Most are texts and numbers, whose calls would take longer than all else.
    if (typeof member === 'object' && isDeeper(member, most - 1)) return true;
  }
  return false;
}

/** What stands in a message where a value is to stand that is written down already; nobody else can know it. */
const PLACE = JSON.stringify(randomUUID());

/** A value with its JSON. */
class Written {
  constructor(value, text) {
    this.value = value;
    this.text = text;
  }

  toJSON() {
    return JSON.parse(PLACE);
  }
}

class Channel {
  /**
   * @param {import('net').Socket} socket
   * @param {(message: object) => void} heard takes each message
   * @param {() => void} ended the server is gone
   * @param {number} [descriptor] of the socket, where it may be written to at once
   */
  constructor(socket, heard, ended, descriptor) {
    this.socket = socket;
    this.heard = heard;
    this.descriptor = descriptor;
    this.pieces = [];
    this.length = 0;
    this.wanted = 0;
    socket.on('data', (piece) => this.take(piece));
    socket.on('error', ended);
    socket.on('end', ended);
    socket.on('close', ended);
  }

  /** Sends a message; what is too long or nested too deep is an error of whoever sends it. */
  send(message) {
    if (isDeeper(message, DEEPEST)) throw new RangeError(`values nested deeper than ${DEEPEST} can't be sent`);
    let json = JSON.stringify(message);
    const body = message.answer?.body;
    if (body instanceof Written) json = json.replace(PLACE, () => body.text);
    // No store and no log takes U+0000; what clients send must not end the conversation.
    if (json.includes('\\u0000')) json = json.replace(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\ufffd');
    const length = Buffer.byteLength(json);
    if (length > MOST) throw new RangeError(`a message of ${length} bytes is longer than ${MOST}`);
    // One write for both, or small messages would go out as two packets.
    const bytes = Buffer.allocUnsafe(4 + length);
    bytes.writeUInt32BE(length);
    bytes.write(json, 4);
    this.write(bytes);
  }

  write(bytes) {
    let sent = 0;
    // The way through a stream costs more than most calls; whoever has to wait takes it.
    if (this.descriptor !== undefined && this.socket.writableLength === 0) {
      try { sent = writeSync(this.descriptor, bytes); } catch { /* The stream finds out why. */ }
    }
    if (sent < bytes.length) this.socket.write(bytes.subarray(sent));
  }

  /** Calls back once everything that was sent is with the system. */
  flush(done) {
    this.socket.write(Buffer.alloc(0), () => done());
  }

  /** Takes what has come. Its memory may be used anew afterwards: of a message that is not whole yet a copy is kept. */
  take(piece) {
    let bytes = piece;
    if (this.length > 0) {
      this.pieces.push(Buffer.from(piece));
      this.length += piece.length;
      if (this.length < this.wanted) return;
      bytes = Buffer.concat(this.pieces, this.length);
    }
    let at = 0;
    try {
      while (bytes.length - at >= 4) {
        const [start, end] = [at + 4, at + 4 + bytes.readUInt32BE(at)];
        if (end > bytes.length) break;
        at = end;
        this.heard(JSON.parse(bytes.toString('utf8', start, end)));
      }
    } finally {
      const rest = at < bytes.length ? [Buffer.from(bytes.subarray(at))] : [];
      this.pieces = rest;
      this.length = bytes.length - at;
      this.wanted = this.length < 4 ? 4 : 4 + rest[0].readUInt32BE();
    }
  }
}

module.exports = { Channel, Written };
