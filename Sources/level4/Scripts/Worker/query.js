'use strict';

// A list's query, as scripts build it and the server reads it: the options of OData as text.

const { componentsOf, inBrackets, setComponents } = require('./query-components');
const { filterOf } = require('./where-function');

/** A value as a literal of the query language. */
function literal(value) {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return `datetime'${value.toISOString()}'`;
  switch (typeof value) {
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      if (!Number.isFinite(value)) return 'null';
      return String(value);
    case 'string':
      return `'${value.replaceAll("'", "''")}'`;
    default:
      throw new TypeError(`a condition can't compare with ${Array.isArray(value) ? 'an array' : 'an object'}`);
  }
}

/** A column's name, which has to be one: what a client sends must not become a condition. */
function column(name) {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new TypeError(`'${name}' is no name of a column`);
  return name;
}

/** The names in some texts, of one or several each; or in lists of them. */
function namesIn(texts) {
  return texts.flat().flatMap((text) => {
    if (typeof text !== 'string') throw new TypeError(`columns are named by texts, not by ${typeof text}`);
    return text.split(',');
  });
}

/** Whether a value is an object of columns and what they equal. */
const isRecord = (value) => typeof value === 'object' && value !== null
  && !Array.isArray(value) && !(value instanceof Date);

/** The columns that an object names, those too that it has from another. */
function namesOf(record) {
  const names = [];
  for (const name in record) names.push(name);
  // A promise or a map says something, and none of it in names: it would be no condition at all.
  if (names.length || [Object.prototype, null].includes(Object.getPrototypeOf(record))) return names;
  const kind = typeof record.then === 'function' ? 'a promise' : `a ${record.constructor?.name}`;
  throw new TypeError(`where takes an object of columns, and ${kind} names none`);
}

/** Whether a value says nothing, as one that a request didn't have; a condition takes it for null. */
const isOpen = (value) => value === undefined || (typeof value === 'number' && !Number.isFinite(value));

class Query {
  constructor(table) {
    this.table = table;
    this.parts = { filter: null, orderby: null, skip: null, top: null, select: null, count: false };
    this.parts.includeDeleted = false;
    // Apart from the client's own filter, which may be in another language and is none of ours to read.
    this.added = [];
    // Whether a condition has a value that says nothing.
    this.isOpen = false;
  }

  /** The query as the client sent it. */
  static from(message, table) {
    const query = new Query(table);
    Object.assign(query.parts, message);
    return query;
  }

  /** Another condition beside those that there are: an object of equal values, OData text, or a function. */
  where(condition, ...values) {
    let text;
    if (typeof condition !== 'function' && typeof condition !== 'string' && values.length) {
      throw new TypeError('where takes one object; what stands behind it would be passed over');
    }
    if (typeof condition === 'function' && values.length > condition.length) {
      throw new TypeError(`where has a function of ${condition.length} values and was handed ${values.length}`);
    }
    const names = isRecord(condition) ? namesOf(condition) : [];
    if ((isRecord(condition) ? names.map((name) => condition[name]) : values).some(isOpen)) this.isOpen = true;
    if (typeof condition === 'function') {
      text = filterOf(condition, values, literal);
    } else if (typeof condition === 'string') {
      let place = 0;
      // As the SDK had it: question marks outside of quotes stand for the values.
      text = values.length
        ? condition.replace(/'(?:[^']|'')*'|\?/g, (part) => (part === '?' ? literal(values[place++]) : part))
        : condition;
      if (place !== values.length) throw new TypeError(`where has ${place} question marks and ${values.length} values`);
    } else if (isRecord(condition)) {
      text = names
        .map((name) => `(${column(name)} eq ${literal(condition[name])})`)
        .join(' and ');
    } else {
      throw new TypeError('where takes an object, a text or a function');
    }
    if (!text) return this;
    this.added.push(text);
    return this;
  }

  /** All conditions as one text, the client's first: for scripts to look at. The server gets them apart, and reads each. */
  get filter() {
    if (!this.added.length) return this.parts.filter || null;
    return [this.parts.filter, ...this.added].filter(Boolean).map(inBrackets).join(' and ');
  }

  /** Whether there is any condition. */
  get isNarrow() {
    return Boolean(this.parts.filter) || this.added.length > 0;
  }

  orderBy(...names) {
    return this.order(names, '');
  }

  orderByDescending(...names) {
    return this.order(names, ' desc');
  }

  order(names, suffix) {
    const added = namesIn(names)
      .map((name) => name.trim())
      .map((name) => {
        const [first, direction = ''] = name.split(/\s+/);
        return column(first) + (direction.toLowerCase() === 'desc' ? ' desc' : suffix);
      });
    this.parts.orderby = [this.parts.orderby, ...added].filter(Boolean).join(',');
    return this;
  }

  skip(count, ...more) {
    alone('skip', more);
    this.parts.skip = wholeNumber(count, 'skip');
    return this;
  }

  take(count, ...more) {
    alone('take', more);
    this.parts.top = wholeNumber(count, 'take');
    return this;
  }

  top(...counts) {
    return this.take(...counts);
  }

  select(...names) {
    const all = namesIn(names).map((name) => column(name.trim()));
    // Beside those that the client wants.
    const known = (this.parts.select ?? '').split(',').map((name) => name.trim()).filter(Boolean);
    this.parts.select = [...new Set([...known, ...all])].join(',');
    return this;
  }

  includeTotalCount(wanted = true, ...more) {
    alone('includeTotalCount', more);
    this.parts.count = Boolean(wanted);
    return this;
  }

  includeDeleted(wanted = true, ...more) {
    alone('includeDeleted', more);
    this.parts.includeDeleted = Boolean(wanted);
    return this;
  }

  /** A query that goes its own way from here. */
  copy() {
    const copy = Query.from({ ...this.parts }, this.table);
    copy.added = [...this.added];
    copy.isOpen = this.isOpen;
    for (const name of ['id', 'single', 'usualTake']) if (this[name] !== undefined) copy[name] = this[name];
    return copy;
  }

  /** Its parts, for scripts to look at. */
  getComponents() {
    return componentsOf(this);
  }

  /** Sets those parts that are given. */
  setComponents(components) {
    return setComponents(this, components);
  }

  toMessage() {
    // Written out: an object that is spread gets a shape of its own, which costs more than the rest of a call.
    const { filter: own, orderby, skip, top, select, count, includeDeleted } = this.parts;
    return { own, added: [...this.added], orderby, skip, top, select, count, includeDeleted };
  }

  /** The query as OData, for scripts that look at it. */
  toOData() {
    const { filter } = this;
    const { orderby, skip, top, select, count } = this.parts;
    const members = { $filter: filter, $orderby: orderby, $skip: skip, $top: top, $select: select };
    if (count) members.$inlinecount = 'allpages';
    return Object.keys(members)
      .filter((name) => members[name] !== null && members[name] !== undefined)
      .map((name) => `${name}=${encodeURIComponent(members[name])}`)
      .join('&');
  }
}

/** What stands behind the one value that a method takes would be passed over. */
function alone(name, more) {
  if (more.some((value) => value !== undefined)) throw new TypeError(`${name} takes one value; another would be passed over`);
}

function wholeNumber(count, name) {
  const number = Number(count);
  if (!Number.isInteger(number) || number < 0) throw new TypeError(`${name} takes a whole number, not ${count}`);
  return number;
}

module.exports = { Query, literal };
