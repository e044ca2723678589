'use strict';

// Messages to the server and from it: four bytes of length, the highest first, and JSON.

const MOST = 64 * 1024 * 1024;

/** How deep values may be nested; the server reads some more. */
const DEEPEST = 48;

function isDeeper(value, most) {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  for (const name in value) if (isDeeper(value[name], most - 1)) return true;
  return false;
}

class Channel {
  /**
   * @param {import('net').Socket} socket
   * @param {(message: object) => void} heard takes each message
   * @param {() => void} ended the server is gone
   */
  constructor(socket, heard, ended) {
    this.socket = socket;
    this.heard = heard;
    this.pieces = [];
    this.length = 0;
    socket.on('data', (piece) => this.take(piece));
    socket.on('error', ended);
    socket.on('end', ended);
    socket.on('close', ended);
  }

  /** Sends a message; what is too long or nested too deep is an error of whoever sends it. */
  send(message) {
    if (isDeeper(message, DEEPEST)) throw new RangeError(`values nested deeper than ${DEEPEST} can't be sent`);
    let json = JSON.stringify(message);
    // No store and no log takes U+0000; what clients send must not end the conversation.
    if (json.includes('\\u0000')) json = json.replace(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\ufffd');
    const text = Buffer.from(json);
    if (text.length > MOST) throw new RangeError(`a message of ${text.length} bytes is longer than ${MOST}`);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(text.length);
    // One write for both, or small messages would go out as two packets.
    this.socket.write(Buffer.concat([head, text]));
  }

  /** Calls back once everything that was sent is with the system. */
  flush(done) {
    this.socket.write(Buffer.alloc(0), () => done());
  }

  take(piece) {
    this.pieces.push(piece);
    this.length += piece.length;
    while (this.length >= 4) {
      const head = this.look(4);
      const size = head.readUInt32BE();
      if (this.length < 4 + size) return;
      const whole = this.look(4 + size);
      this.pieces = whole.length === 4 + size ? [] : [whole.subarray(4 + size)];
      this.length -= 4 + size;
      this.heard(JSON.parse(whole.toString('utf8', 4, 4 + size)));
    }
  }

  /** The pieces as one, if the first alone is shorter than this. */
  look(count) {
    if (this.pieces[0].length < count) this.pieces = [Buffer.concat(this.pieces, this.length)];
    return this.pieces[0];
  }
}

module.exports = { Channel };
