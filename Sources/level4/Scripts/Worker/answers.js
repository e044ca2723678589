'use strict';

// What a call ends with, in the words of the protocol with the server.

const { AskError } = require('./calls');
const { Written } = require('./channel');
const { placeOf } = require('./resolve');

/** The status of an error that a script threw on purpose, by the marks that the SDKs gave such errors. */
function statusOf(error) {
  const status = error.status ?? error.statusCode;
  if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  if (error.badRequest) return 400;
  if (error.unauthorized) return 401;
  if (error.notFound) return 404;
  if (error.duplicate || error.conflict) return 409;
  // A row that a write was for, or none.
  if (error.concurrency) return error.item ? 412 : 404;
  return undefined;
}

/** What the client is answered where a script threw. */
function failureOf(error, call, root) {
  // What the server itself refused is answered as it is without a script, unless the script has made it its own.
  const refused = error instanceof AskError ? error : error?.cause instanceof AskError ? error.cause : undefined;
  if (refused?.execution) return { kind: 'unchanged', execution: refused.execution };
  const status = error && typeof error === 'object' ? statusOf(error) : undefined;
  if (status !== undefined && status !== 500) {
    const isOfNoRow = error.concurrency && !error.item;
    const message = isOfNoRow ? 'The item does not exist' : String(error.message ?? error);
    return { kind: 'error', status, message, body: plain(error.item) };
  }
  return brokenBy(error, root);
}

/** What the client is answered where an error was left to nobody, whatever status it has. */
function brokenBy(error, root) {
  const message = String(error?.message ?? error);
  return { kind: 'failed', message, stack: String(error?.stack ?? message), ...placeOf(error, root) };
}

/** A value as JSON: what JSON can't say is an error of the script. */
function textOf(value) {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // Asked of each member, it takes three times as long, and most values have none.
    return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ?? 'null';
  }
}

/** A value as JSON has it. */
function plain(value) {
  return value === undefined || value === null ? null : JSON.parse(textOf(value));
}

/** The same, to be sent and not to be looked at: it is written down once, as it is now. */
const written = (value) => new Written(value, textOf(value));

module.exports = { brokenBy, failureOf, plain, written };
