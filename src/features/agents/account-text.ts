import { partsOfSentence } from '../../domain/sentence.ts';
import { shortName } from '../../domain/short-name.ts';

/** In UTF-16 units; a sentence with the longest names fits. */
const longestLine = 600;

/**
 * A text that can hold words from the account, for a model and for what it writes: on one line, cut, and without characters
 * that Markdown or a chat could render as a link, an image, a mention, code or emphasis.
 */
export function accountText(text: string, most = longestLine): string {
  return shortName(withoutMarkup(text), most);
}

/** A sentence of `domain/sentence.ts`, with its names in quotation marks that no name can close. */
export function sentenceText(sentence: string, most = longestLine): string {
  const parts = partsOfSentence(sentence).map(({ text, isName }) =>
    isName ? `“${text.replaceAll(/[“”"„‟]/gu, '’')}”` : text,
  );
  return accountText(parts.join(''), most);
}

function withoutMarkup(text: string): string {
  return text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('`', '’')
    .replaceAll('*', '∗')
    .replaceAll('~', '∼')
    .replaceAll('](', '] (')
    .replaceAll('://', ': //')
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, ' ')
    .replaceAll(/[\u200B-\u200F\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu, '');
}
