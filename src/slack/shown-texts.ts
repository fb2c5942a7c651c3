import { mark } from '../domain/own-names.ts';
import { lengthInEnglish } from '../domain/said.ts';
import { clipMrkdwn, clipShown, notification } from './views/blocks/mrkdwn.ts';

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

type Node = Readonly<Record<string, unknown>>;

/**
 * Changes every text of a message, a view or an acknowledgement that people see; IDs, values and metadata stay. A text that gets
 * longer than Slack’s limit is cut, and a section becomes several.
 *
 * @param key of the part within what holds it
 */
export function changeShownTexts<Part>(part: Part, change: (text: string) => string, key = ''): Part {
  return changed(part, { key, holder: '' }) as Part;

  function changed(value: unknown, at: Place): unknown {
    if (typeof value === 'string') return shownKeys.has(at.key) ? fitted(value, change(value), at) : value;
    if (Array.isArray(value)) return value.flatMap((item: unknown) => split(changed(item, at)));
    if (!isNode(value)) return value;
    const { type, text } = value;
    if ((type === 'mrkdwn' || type === 'plain_text') && typeof text === 'string')
      return { ...value, text: fitted(text, change(text), at, type) };
    const holder = typeof type === 'string' ? type : at.key;
    // The errors of a form stand under the names of its fields.
    const isErrors = at.key === 'errors';
    return Object.fromEntries(
      Object.entries(value).map(([name, own]) => [
        name,
        hiddenKeys.has(name) && !isErrors ? own : changed(own, { key: isErrors ? at.key : name, holder }),
      ]),
    );
  }
}

interface Place {
  key: string;
  /** The type of what holds the part, or its key. */
  holder: string;
}

/** The changed text within the limit of its place. Texts that did not get longer are within it already. */
function fitted(before: string, after: string, { key, holder }: Place, type?: string): string {
  if (after.replaceAll(mark, '').length <= lengthInEnglish(before)) return after;
  const at = `${holder}.${key}`;
  if (at === '.text') return notification({ mrkdwn: after });
  if (at === 'section.text') return after;
  const most = key === 'placeholder' ? longestPlaceholder : (limits[at] ?? longestText);
  return type === 'mrkdwn' ? clipMrkdwn({ mrkdwn: after }, most).mrkdwn : clipShown(after, most);
}

/** A section whose text is longer than Slack’s limit becomes several, split between lines. */
function split(block: unknown): unknown[] {
  if (!isNode(block) || block['type'] !== 'section' || !isNode(block['text'])) return [block];
  const { text } = block['text'];
  if (typeof text !== 'string' || text.length <= longestText) return [block];
  const withText = (part: string) => ({ ...Object(block['text']), text: part });
  const end = text.lastIndexOf('\n', longestText);
  if (end <= 0) return [{ ...block, text: withText(clipMrkdwn({ mrkdwn: text }, longestText).mrkdwn) }];
  const rest = text.slice(end + 1);
  return [
    { ...block, text: withText(text.slice(0, end)) },
    ...(rest.trim() === '' ? [] : split({ type: 'section', text: withText(rest) })),
  ];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
