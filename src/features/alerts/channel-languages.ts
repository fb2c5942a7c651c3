import type { Keyv } from 'keyv';
import type { ChannelLanguages } from '../../operations/context.ts';
import { languageChoice, type LanguageChoice } from '../../operations/fields/language.ts';
import type { Language } from '../../words/languages.ts';

/** What another instance chose counts after this time at the latest. */
const knownForMs = 60_000;
const knownAtMost = 10_000;

interface Known {
  choice: Promise<LanguageChoice>;
  until: number;
}

/**
 * The languages of the channels of one workspace.
 *
 * @param deps.store by channel: the code of its language
 * @param deps.defaultLanguage of channels for which nobody chose one
 */
export function createChannelLanguages(deps: {
  store: Pick<Keyv<string>, 'get' | 'set' | 'delete'>;
  defaultLanguage: Language;
  now: () => number;
}): ChannelLanguages {
  const { store, defaultLanguage, now } = deps;
  const known = new Map<string, Known>();

  async function read(channelId: string): Promise<LanguageChoice> {
    return languageChoice(await store.get(channelId)) ?? 'default';
  }

  async function remember(channelId: string, choice: Promise<LanguageChoice>): Promise<LanguageChoice> {
    const entry = { choice, until: now() + knownForMs };
    known.delete(channelId);
    known.set(channelId, entry);
    const [oldest] = known.keys();
    if (known.size > knownAtMost && oldest !== undefined) known.delete(oldest);
    try {
      return await choice;
    } catch (error) {
      if (known.get(channelId) === entry) known.delete(channelId);
      throw error;
    }
  }

  return {
    defaultLanguage,
    async of(channelId) {
      const recent = known.get(channelId);
      const choice = await (recent && now() < recent.until ? recent.choice : remember(channelId, read(channelId)));
      return choice === 'default' ? defaultLanguage : choice;
    },
    chosen: (channelId) => remember(channelId, read(channelId)),
    async choose(channelId, choice) {
      const before = await read(channelId);
      if (choice === 'default') await store.delete(channelId);
      else if (choice !== before) await store.set(channelId, choice);
      await remember(channelId, Promise.resolve(choice));
      return before;
    },
  };
}
