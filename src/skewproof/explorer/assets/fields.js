// Fields in which one types: a sentence says what is wrong, and the page keeps its last valid state.

class InputError extends Error {
  // The fields that are wrong, by their ids; all that are read together if none are named.
  constructor(message, ids = null) {
    super(message);
    this.ids = ids;
  }
}

class Field {
  // Inputs that are read together, the element that says what was read or what is wrong, and
  // functions: they read the inputs, say what stays while these are wrong, and give what they show
  // of the state.
  constructor({ ids, message, read, stays = () => "", shown = () => null, wait = 0 }) {
    Object.assign(this, { ids, read, stays, shown });
    this.inputs = ids.map((id) => document.getElementById(id));
    this.message = document.getElementById(message);
    this.isWrong = false;
    this.kept = null;
    let typing;
    for (const input of this.inputs) {
      input.addEventListener("input", () => {
        clearTimeout(typing);
        if (wait) typing = setTimeout(() => this.take(), wait);
        else this.take();
      });
    }
  }

  take(read = this.read) {
    try {
      this.say(read() ?? "", []);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.kept = this.shown();
      const stays = this.stays();
      this.say(`${error.message}${stays && "; "}${stays}.`, error.ids ?? this.ids);
    }
  }

  say(text, wrong) {
    this.isWrong = wrong.length > 0;
    this.message.classList.toggle("fault", this.isWrong);
    setText(this.message, text);
    for (const input of this.inputs) {
      if (wrong.includes(input.id)) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  }

  // Show the state. What is wrong stays, with what is said of it, until that part of the state
  // changes elsewhere.
  show() {
    const values = this.shown();
    if (values === null) return;
    const isReplaced = this.isWrong && String(values) !== String(this.kept);
    if (this.isWrong && !isReplaced) return;
    if (isReplaced) this.say("", []);
    this.inputs.forEach((input, place) => setValue(input, values[place], isReplaced));
  }

  // Forget what was typed.
  reset() {
    const values = this.shown() ?? this.inputs.map(() => "");
    this.say("", []);
    this.inputs.forEach((input, place) => setValue(input, values[place], true));
  }
}

// What somebody types in is left alone, unless it is replaced.
function setValue(input, value, isReplaced = false) {
  const isTyped = input === document.activeElement && input.type !== "range";
  if ((isReplaced || !isTyped) && input.value !== String(value)) input.value = value;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
