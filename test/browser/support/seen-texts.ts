import { isWorded } from '../../../src/domain/said.ts';
import type { Message, View } from '../../../src/sandbox/workspace/model.ts';
import { botUserId } from '../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../src/sandbox/workspace/workspace.ts';
import { writeTexts } from '../../../src/slack/connection/outgoing.ts';
import { collectSentences } from '../../words/catalogue/collect-sentences.ts';

/** Longer than any test. */
const watchedAtMostMs = 30 * 60_000;

/**
 * Notes every text of the bot that a person alone reads, from now on: direct messages, answers that only they see, forms and Home.
 *
 * @returns the texts so far
 */
export function watchTexts(workspace: Workspace, personId: string): () => ReadonlySet<string> {
  const texts = new Set<string>();
  const known = new Set<string>();
  const note = (shown: Message | View): void => {
    const content = JSON.stringify(shown);
    if (known.has(content)) return;
    known.add(content);
    writeTexts(shown, (text) => {
      texts.add(text);
      return text;
    });
  };
  const look = (): false => {
    const home = workspace.home(personId);
    const messages = [...workspace.directMessages(personId), ...workspace.ephemerals(personId)];
    for (const message of messages) if (message.user === botUserId) note(message);
    for (const view of [...workspace.views(personId), ...(home ? [home] : [])]) note(view);
    return false;
  };
  void workspace.until(look, watchedAtMostMs).catch(() => undefined);
  return () => texts;
}

/** With fewer letters, words are the same in other languages, such as names of commands. */
const lettersAtLeast = 15;
const wordsAtLeast = 3;

/** Words that neither German nor Polish has, nor a name of the sample account. They find what is shorter than a sentence. */
const englishWord = /(?<![\p{L}/-])(?:the|of|and|your|you|points|with|from|have|been|this|that)(?!\p{L})/u;

/** The sentences of the bot that texts have in English, and the texts that have English words. */
export function englishIn(texts: Iterable<string>): string[] {
  const all = [...texts].map(withoutCode);
  const parts = new Set(collectSentences().flatMap(({ key }) => literalParts(key)));
  return [
    ...[...parts].filter((part) => all.some((text) => text.includes(part))),
    ...all.filter((text) => englishWord.test(text)),
  ];
}

/** What stands between the parts of a sentence, where it is long enough to tell its language. */
function literalParts(key: string): string[] {
  return withoutCode(key)
    .split(/\{\d+\}|#| ¦ /)
    .map((part) => part.trim())
    .filter(
      (part) =>
        isWorded(part) &&
        part.replaceAll(/\P{L}/gu, '').length >= lettersAtLeast &&
        (part.match(/\p{L}+/gu) ?? []).length >= wordsAtLeast,
    );
}

/** Commands are English in every language. */
function withoutCode(text: string): string {
  return text.replaceAll(/`[^`]*`/g, '{0}');
}
