import { formatFile, sourceName, type FileField, type FileSource } from '../../operations/fields/file.ts';
import { formatMention } from '../../operations/typed-text.ts';
import { plain } from '../views/blocks/mrkdwn.ts';
import { offersNothing, stateOfOptions, type InputState, type SlackFieldKind } from './field-kind.ts';

/** Slack's limits for an option. */
const longestText = 75;
const longestValue = 150;

/**
 * An upload. Slack cannot show a file that was chosen before in an upload, so a form that opens with a file, or with a
 * channel, has a menu with that alone.
 */
export const slackFile: SlackFieldKind<FileField, FileSource> = {
  ...offersNothing,
  element({ extensions }, state) {
    const [chosen] = state?.options ?? [];
    if (chosen) return { type: 'static_select', options: [chosen], initial_option: chosen };
    return { type: 'file_input', filetypes: [...extensions], max_files: 1 };
  },
  read({ files, selected_option }) {
    if (selected_option) return stateOfOptions([selected_option]);
    const [file] = files ?? [];
    return file && stateOf({ kind: 'file', id: file.id, name: file.name ?? '' });
  },
  fill: stateOf,
};

function stateOf(source: FileSource): InputState {
  const value = source.kind === 'file' ? formatFile(source) : formatMention(source.mention);
  return {
    texts: [value],
    options: value.length > longestValue ? [] : [{ text: plain(sourceName(source), longestText), value }],
  };
}
