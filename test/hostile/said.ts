/** What an answer says, and how it comes. */
interface Said {
  /** Sentences and labels, each once, without numbers and IDs. */
  texts: ReadonlySet<string>;
  isForm: boolean;
}

/** Labels of a modal: another answer has no place for them. */
const labels = new Set(['title', 'close', 'submit', 'placeholder']);
const changing = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b|\d+/g;
/** An error of a field has none. */
const icon = /^[^\p{L}“]+/u;
/** The error of a field has quotation marks where a message has bold letters. */
const marks = /[“”*`]/g;
const suggesting = 'Did you mean';

/**
 * Whether two answers say the same to a person. In which way it comes depends on how busy the bot is: as an error of a form, or in
 * a form that is opened again with the error in it; in a modal, or below the command.
 */
export function sayTheSame(one: string, other: string): boolean {
  const [a, b] = [said(one), said(other)];
  const [less, more] = a.texts.size <= b.texts.size ? [a, b] : [b, a];
  const isSame = less.texts.size === more.texts.size || (more.isForm && !less.isForm && less.texts.size > 0);
  return isSame && less.texts.isSubsetOf(more.texts);
}

function said(answer: string): Said {
  const found = textsIn(parsed(answer), '').map((text) =>
    text.replace(icon, '').replaceAll(marks, '').replaceAll(changing, '#'),
  );
  // What is nearly called as what was typed differs with every letter.
  const suggestion = found.find((text) => text.includes(suggesting));
  const texts = suggestion === undefined ? found : [suggestion.split(suggesting)[0]!];
  return { texts: new Set(texts), isForm: answer.includes('modal') };
}

function textsIn(value: unknown, key: string): string[] {
  if (labels.has(key)) return [];
  if (typeof value === 'string') {
    const inner = parsed(value);
    if (inner !== value) return textsIn(inner, key);
    return key === 'text' || key === 'error' ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, key === 'errors' ? 'error' : name));
}

/** The value of a text that is JSON; another text as it is. */
function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
