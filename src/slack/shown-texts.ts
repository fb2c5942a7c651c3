import { closeIsolates } from '../domain/direction.ts';
import { inEnglish, inEnglishThroughout } from '../domain/said.ts';
import { clip } from '../domain/short-name.ts';
import type { Place, Render } from '../words/render.ts';

/** The keys of blocks, views, messages and acknowledgements under which a text stands that people see or hear. */
const shownKeys: ReadonlySet<string> = new Set([
  'accessibility_label',
  'alt_text',
  'caption',
  'categories',
  'error',
  'errors',
  'initial_comment',
  'label',
  'message',
  'name',
  'text',
  'title',
  'x_label',
  'y_label',
]);
/** What is in them is the bot’s own, or what a person entered. */
const hiddenKeys: ReadonlySet<string> = new Set(['metadata', 'private_metadata', 'state', 'value', 'initial_value']);

/** Slack’s limits for texts, by the type of what holds them, or the key where it has none. Those of `src/slack/views` have their sources there. */
const limits: Readonly<Record<string, number>> = {
  'modal.title': 24,
  'modal.submit': 24,
  'modal.close': 24,
  'header.text': 150,
  'section.fields': 2_000,
  'input.label': 2_000,
  'input.hint': 2_000,
  'button.text': 75,
  'button.accessibility_label': 75,
  'options.text': 75,
  'options.description': 75,
  'initial_option.text': 75,
  'initial_option.description': 75,
  'initial_options.text': 75,
  'initial_options.description': 75,
  'option_groups.label': 75,
  'confirm.title': 100,
  'confirm.text': 300,
  'confirm.confirm': 30,
  'confirm.deny': 30,
  'alert.text': 200,
  'data_visualization.title': 50,
  'series.name': 20,
  'data.label': 20,
  'axis_config.categories': 20,
  'axis_config.x_label': 50,
  'axis_config.y_label': 50,
};
const longestPlaceholder = 150;
const longestText = 3_000;
const longestNotificationBytes = 4_000;

type Node = Readonly<Record<string, unknown>>;

/** Stands around markup that Slack sent with a press: it was written for its readers when the bot sent it. */
const [open, close] = ['\uFDEE', '\uFDEF'];

/** Keeps the markup of a message as it is, where the message is sent again. */
export function asWritten<Part>(part: Part): Part {
  return kept(part) as Part;

  function kept(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(kept);
    if (!isNode(value)) return value;
    const { type, text } = value;
    if (typeof text === 'string' && (type === 'mrkdwn' || type === undefined))
      return { ...keptParts(value), text: `${open}${text}${close}` };
    return keptParts(value);
  }

  function keptParts(value: Node): Node {
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, kept(own)]));
  }
}

/**
 * Writes every text of a message, a view or an acknowledgement for its reader; IDs, values and metadata stay, without marks.
 * Whatever is longer than its place takes is cut, and a section becomes several.
 *
 * @param key of the part within what holds it
 */
export function writeTexts<Part>(part: Part, render: Render, key = ''): Part {
  return changed(part, { key, holder: '' }) as Part;

  function written(text: string, at: Where, place: Place): string {
    return keptText.exec(text)?.[1] ?? fitting(render(text, place), at, place);
  }

  function changed(value: unknown, at: Where): unknown {
    if (typeof value === 'string') return shownKeys.has(at.key) ? written(value, at, placeOf(at)) : inEnglish(value);
    if (Array.isArray(value)) return value.flatMap((item: unknown) => split(changed(item, at)));
    if (!isNode(value)) return value;
    const { type, text } = value;
    if ((type === 'mrkdwn' || type === 'plain_text') && typeof text === 'string') {
      return { ...value, text: written(text, at, type === 'mrkdwn' ? 'markup' : placeOf(at)) };
    }
    const holder = typeof type === 'string' ? type : at.key;
    // The errors of a form stand under the names of its fields.
    const isErrors = at.key === 'errors';
    return Object.fromEntries(
      Object.entries(value).map(([name, own]) => [
        name,
        hiddenKeys.has(name) && !isErrors
          ? inEnglishThroughout(own)
          : changed(own, { key: isErrors ? at.key : name, holder }),
      ]),
    );
  }
}

/** What was kept is as it was. */
const keptText = new RegExp(`^${open}(.*)${close}$`, 's');

interface Where {
  key: string;
  /** The type of what holds the part, or its key. */
  holder: string;
}

/** The text of a message is markup; where each letter counts, names have no quotation marks. */
function placeOf({ key, holder }: Where): Place {
  if ((holder === '' && key === 'text') || key === 'initial_comment') return 'markup';
  return labelled.has(holder) ? 'label' : 'plain';
}

const labelled: ReadonlySet<string> = new Set([
  'axis_config',
  'button',
  'confirm',
  'data',
  'data_visualization',
  'initial_option',
  'initial_options',
  'modal',
  'option_groups',
  'options',
  'series',
]);

/** The text within the limit of its place. Long sections are split. */
function fitting(text: string, { key, holder }: Where, place: Place): string {
  const at = `${holder}.${key}`;
  if (at === 'section.text') return text;
  if (at === '.text') return clipBytes(text);
  const most = key === 'placeholder' ? longestPlaceholder : (limits[at] ?? longestText);
  return place === 'markup' ? clipMarkup(text, most) : clipPlain(text, most);
}

function clipPlain(text: string, most: number): string {
  for (let length = most; ; length -= 1) {
    const cut = closeIsolates(clip(text, length));
    if (cut.length <= most) return cut;
  }
}

/** Cuts markup at `most` characters, never through an escaped character or what is in angle brackets. */
export function clipMarkup(text: string, most: number): string {
  if (text.length <= most) return text;
  for (let length = most - 1; ; length -= 1) {
    const cut = text.slice(0, length).replace(/(?:&[a-z]{0,3}|<[^>]*|[\uD800-\uDBFF])$/, '');
    const closed = closeIsolates(`${cut}…`);
    if (closed.length <= most) return closed;
  }
}

/** A message's `text`: Slack takes 4,000 bytes of `chat.update`’s. */
function clipBytes(text: string): string {
  let cut = clipMarkup(text, longestNotificationBytes);
  for (let most = cut.length; Buffer.byteLength(cut) > longestNotificationBytes;) {
    most = Math.floor(most * 0.9);
    cut = clipMarkup(cut, most);
  }
  return cut;
}

/** A section whose text is longer than Slack’s limit becomes several, split between lines. */
function split(block: unknown): unknown[] {
  if (!isNode(block) || block['type'] !== 'section' || !isNode(block['text'])) return [block];
  const { text } = block['text'];
  if (typeof text !== 'string' || text.length <= longestText) return [block];
  const withText = (part: string) => ({ ...Object(block['text']), text: part });
  const end = text.lastIndexOf('\n', longestText);
  if (end <= 0) return [{ ...block, text: withText(clipMarkup(text, longestText)) }];
  const rest = text.slice(end + 1);
  return [
    { ...block, text: withText(text.slice(0, end)) },
    ...(rest.trim() === '' ? [] : split({ type: 'section', text: withText(rest) })),
  ];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
