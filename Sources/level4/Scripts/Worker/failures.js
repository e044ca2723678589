'use strict';

// What a client is answered where a script of the Node SDK failed, as the SDK answered it.

const { AskError } = require('./calls');
const { plain } = require('./answers');

/** What the server itself refused, and can answer by itself; undefined where the script has made it its own. */
function refusalOf(error) {
  const refused = error instanceof AskError ? error : error?.cause instanceof AskError ? error.cause : undefined;
  return refused?.execution ? refused : undefined;
}

const MISSING = { status: 404, body: { error: 'The item does not exist' } };

/**
 * An error as status and body. A status that it names counted for nothing in the SDK.
 * @param {object} context of the request, as far as there is one
 */
function problemOf(error, context) {
  const marks = typeof error === 'object' && error !== null ? error : {};
  const text = typeof error === 'string' ? error : typeof marks.message === 'string' ? marks.message : undefined;
  const words = text !== undefined ? { error: text } : plain(error) ?? { error: String(error) };
  if (marks.badRequest) return { status: 400, body: words };
  if (marks.concurrency) {
    if (!marks.item) return MISSING;
    const isByField = context?.req?.headers?.['if-match'] !== undefined;
    return { status: isByField ? 412 : 409, body: plain(marks.item), version: marks.item.version };
  }
  if (marks.duplicate) return { status: 409, body: context?.sent ? plain(context.sent) : undefined };
  if (marks.notFound) return MISSING;
  return { status: 500, body: words };
}

/** Answers by a response with what went wrong; what is the script's own fault is a line of the log. */
function answerProblem(error, { req, res, call }) {
  const { status, body, version } = problemOf(error, req.azureMobile);
  if (status >= 500) call.log('error', `${error?.stack ?? plainText(error)}`);
  if (res.headersSent || res.writableEnded) return void res.end();
  res.status(status);
  if (typeof version === 'string') res.set('ETag', `"${version.replace(/["\\\r\n]/g, '')}"`);
  if (body === undefined) return void res.type('json').end();
  res.json(body);
}

function plainText(error) {
  try {
    return typeof error === 'string' ? error : JSON.stringify(error);
  } catch {
    return String(error);
  }
}

module.exports = { refusalOf, answerProblem };
