'use strict';

// Checks what a worker of a test says and hears against the description of messages: a kind or a member that isn't there, or
// has another type, ends the worker; so does a look at a member that nobody sends.

const path = require('path');

const program = path.join(__dirname, '../../Sources/level4/Scripts/Worker');
const { Channel } = require(path.join(program, 'channel.js'));
const described = require(path.join(program, 'messages.json'));
const exit = process.reallyExit.bind(process);
const raw = process._rawDebug;

const TAGS = { call: 'kind', ask: 'do' };
const PLAIN = {
  any: () => true,
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  id: (value) => typeof value === 'string' || Number.isInteger(value),
  pair: (value) => Array.isArray(value) && value.length === 2 && value.every(PLAIN.text),
  object: (value) => typeof value === 'object' && !Array.isArray(value),
};

function failed(sentence) {
  raw(`messages.json: ${sentence}`);
  exit(70);
  throw new Error(sentence);
}

/** Whether a value is of one of some types. */
function check(value, types, place) {
  const isOpen = types.endsWith('?');
  if (value === undefined || value === null) return isOpen || types === 'any' || failed(`${place} is missing`);
  const bare = isOpen ? types.slice(0, -1) : types;
  if (bare.startsWith('[')) {
    if (!Array.isArray(value)) failed(`${place} is no list`);
    return value.every((each, index) => check(each, bare.slice(1, -1), `${place}[${index}]`));
  }
  const fits = bare.split('|').some((type) => {
    const known = described.types[type];
    if (typeof known === 'string') return known.split('|').includes(value);
    if (known) return typeof value === 'object' && members(value, known, place);
    return PLAIN[type] ? PLAIN[type](value) : value === type;
  });
  return fits || failed(`${place} is ${JSON.stringify(value)} and no ${bare}`);
}

function members(object, known, place) {
  for (const name of Object.keys(object)) {
    if (object[name] !== undefined && !known[name]) failed(`${place} has a member ${name}`);
  }
  return Object.keys(known).every((name) => check(object[name], known[name], `${place}.${name}`));
}

/** The members of a kind of message, with those that say the kind. */
function kindOf(side, message) {
  const tag = TAGS[message.t];
  const kind = tag ? `${message.t} ${message[tag]}` : message.t;
  const known = described[side][kind] ?? failed(`the ${side} says '${kind}'`);
  return { kind, known: { t: 'text', ...(tag && { [tag]: 'text' }), ...known } };
}

/** A message that no member can be asked for that it can't have. */
function watched(object, known, place) {
  for (const name of Object.keys(known)) {
    const type = described.types[known[name].replace('?', '')];
    if (object[name] && typeof type === 'object') object[name] = watched(object[name], type, `${place}.${name}`);
  }
  return new Proxy(object, {
    get(target, name) {
      if (typeof name === 'string' && !known[name] && !(name in Object.prototype) && !['then', 'toJSON'].includes(name)) {
        failed(`somebody looks for ${place}.${name}`);
      }
      return target[name];
    },
  });
}

const { send } = Channel.prototype;
Channel.prototype.send = function (message) {
  const { kind, known } = kindOf('worker', message);
  members(message, known, kind);
  return send.call(this, message);
};

const { take } = Channel.prototype;
Channel.prototype.take = function (piece) {
  this.plain ??= this.heard;
  this.heard = (message) => {
    const { kind, known } = kindOf('server', message);
    members(message, known, kind);
    return this.plain(watched(message, known, kind));
  };
  return take.call(this, piece);
};

