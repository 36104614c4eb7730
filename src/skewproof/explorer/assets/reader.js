// A formula's text, read into steps as skewproof.core.formulas.reader reads it: nothing is run as code.

const READER = FACTS.reader;
const UNARY = { "-": "negative", "+": "positive" };
const TOKEN =
  /[ \t\n\r\f\v]*(?:((?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|[-+*/(),]))/y;
const NUMBER = /^(?:\d+(?:_\d+)*)?\.?(?:\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?$/;
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const SHOWN = 40;

class FormulaError extends InputError {}

function shortened(text) {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length} characters)` : text;
}

function errorAt(text, start, end, message) {
  return new FormulaError(`Character ${start + 1}, '${shortened(text.slice(start, end))}': ${message}`);
}

// Without what Python takes for space at both ends.
function stripped(text) {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text[start])) start += 1;
  while (end > start && SPACE.test(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function readSteps(given) {
  const text = stripped(given);
  if (!text) throw new FormulaError("The formula is empty: expected one such as 'tp/(tp + fp)'");
  if (text.length > READER.longest) {
    throw new FormulaError(
      `The formula has ${text.length} characters: expected at most ${READER.longest}`,
    );
  }
  const tokens = tokensOf(text);
  const reader = new Reader(text);
  tokens.forEach((token, place) => {
    const after = tokens[place + 1];
    reader.take(token, after !== undefined && after.text === "(");
  });
  return reader.stepsAtEnd();
}

const UNKNOWN =
  "expected a number, a count such as tp, one of + - * / ** or a function such as sqrt";
const NOT_AN_OPERATOR = new Map([
  ["^", "not an operator; use **"],
  ["=", "a formula has no equals sign"],
]);

function tokensOf(text) {
  const tokens = [];
  let position = 0;
  while (position < text.length) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (match === null) {
      position = text.length - text.slice(position).trimStart().length;
      const sign = String.fromCodePoint(text.codePointAt(position));
      throw errorAt(text, position, position + sign.length, NOT_AN_OPERATOR.get(sign) ?? UNKNOWN);
    }
    const kind = ["number", "name", "sign"][match.slice(1).findIndex((part) => part !== undefined)];
    const found = match[1] ?? match[2] ?? match[3];
    position = TOKEN.lastIndex;
    tokens.push({ kind, text: found, start: position - found.length, end: position });
  }
  return tokens;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.steps = [];
    this.values = [];
    this.pending = [];
    this.arguments = [];
    this.expectsValue = true;
  }

  take(token, called) {
    if (this.expectsValue) {
      this.takeValue(token, called);
    } else if (bindingOf(token.text) > 0) {
      this.applyPending(bindingOf(token.text));
      this.pending.push(token);
      this.expectsValue = true;
    } else if (token.text === ",") {
      this.nextArgument(token);
    } else if (token.text === ")") {
      this.close(token);
    } else {
      throw this.error(token, "expected an operator before it");
    }
  }

  stepsAtEnd() {
    const end = this.text.length;
    if (this.expectsValue) {
      throw errorAt(this.text, end - 1, end, "expected a number, count or function after it");
    }
    this.applyPending(0);
    if (this.pending.length) {
      const place = this.pending.at(-1).start + 1;
      throw new FormulaError(`Character ${place}: '(' was never closed`);
    }
    return this.steps;
  }

  error(token, message) {
    return errorAt(this.text, token.start, token.end, message);
  }

  takeValue(token, called) {
    if (token.kind === "number") {
      const number = this.number(token);
      this.push({ operation: "number", takes: 0, number }, token, number);
    } else if (token.kind === "name") {
      const known = called ? Object.keys(READER.functions) : READER.symbols;
      if (!known.includes(token.text)) {
        throw this.error(token, `expected one of ${known.join(", ")}`);
      }
      if (called) this.pending.push(token);
      else this.push({ operation: token.text, takes: 0 }, token);
    } else if (token.text === "(") {
      this.pending.push(token);
      this.arguments.push(1);
    } else if (Object.hasOwn(UNARY, token.text)) {
      this.pending.push({ ...token, text: UNARY[token.text] });
    } else {
      throw this.error(token, "expected a number, count or function in its place");
    }
  }

  number(token) {
    const value = NUMBER.test(token.text) ? Number(token.text.replaceAll("_", "")) : NaN;
    if (Number.isNaN(value)) throw this.error(token, "expected a number");
    if (value > READER.largest) {
      throw this.error(token, `expected a number of at most ${READER.largest}`);
    }
    return value;
  }

  push(step, token, number) {
    if (this.values.length === READER.deepest) {
      const message = `expected at most ${READER.deepest} values that wait for an operator`;
      throw this.error(token, message);
    }
    const inner = [token.start, token.end];
    this.steps.push(step);
    this.values.push({ start: token.start, end: token.end, inner, degree: 1, number });
    this.expectsValue = false;
  }

  // The operators that bind more strongly, or as strongly if they bind to the left.
  applyPending(binding) {
    while (this.pending.length) {
      const strength = bindingOf(this.pending.at(-1).text);
      const toTheLeft = strength <= READER.binding["*"];
      if (strength < binding || (strength === binding && !toTheLeft)) return;
      this.apply(this.pending.pop());
    }
  }

  apply(operator) {
    const right = this.values.pop();
    let value;
    if (Object.values(UNARY).includes(operator.text)) {
      const number =
        right.number !== undefined && operator.text === "negative" ? -right.number : right.number;
      this.steps.push({ operation: operator.text, takes: 1 });
      value = { ...right, start: operator.start, number };
    } else {
      value = this.binary(operator, this.values.pop(), right);
    }
    this.values.push({ ...value, inner: [value.start, value.end] });
  }

  binary(operator, left, right) {
    const value = {
      ...right,
      start: left.start,
      degree: Math.max(left.degree, right.degree),
      number: undefined,
    };
    if (operator.text === "/" && left.number !== undefined && right.number) {
      value.number = left.number / right.number;
    }
    if (operator.text === "**") {
      if (right.number === undefined) {
        throw errorAt(this.text, ...right.inner, "expected a number as exponent");
      }
      value.degree = left.degree * Math.max(1, Math.abs(right.number));
      if (!(value.degree <= READER.highest)) {
        const message = `expected powers of at most ${READER.highest} in all`;
        throw errorAt(this.text, value.start, value.end, message);
      }
    }
    this.steps.push({ operation: operator.text, takes: 2 });
    return value;
  }

  nextArgument(comma) {
    this.applyPending(0);
    if (!isFunction(this.pending.at(-2))) {
      throw this.error(comma, "expected a comma only between the arguments of a function");
    }
    this.arguments[this.arguments.length - 1] += 1;
    this.expectsValue = true;
  }

  close(closing) {
    this.applyPending(0);
    if (!this.pending.length) throw this.error(closing, "it closes no parenthesis");
    const { start } = this.pending.pop();
    const given = this.arguments.pop();
    if (!isFunction(this.pending.at(-1))) {
      Object.assign(this.values.at(-1), { start, end: closing.end });
      return;
    }
    const name = this.pending.pop();
    const count = READER.functions[name.text];
    if (given !== count) {
      const message = `${name.text} takes ${count} argument${count > 1 ? "s" : ""}`;
      throw errorAt(this.text, name.start, closing.end, message);
    }
    const taken = this.values.splice(-count);
    const degree = Math.max(...taken.map((value) => value.degree));
    const inner = [name.start, closing.end];
    this.steps.push({ operation: name.text, takes: count });
    this.values.push({ start: name.start, end: closing.end, inner, degree });
  }
}

function bindingOf(text) {
  return Object.hasOwn(READER.binding, text) ? READER.binding[text] : -1;
}

function isFunction(token) {
  return token !== undefined && Object.hasOwn(READER.functions, token.text);
}
