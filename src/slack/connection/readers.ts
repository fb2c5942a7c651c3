import { AsyncLocalStorage } from 'node:async_hooks';
import type { Language } from '../../words/languages.ts';

/** Finds the language of those who read what the bot sends. */
export interface Readers {
  languageOfPerson(personId: string): Promise<Language>;
  languageOfChannel(channelId: string): Promise<Language>;
  /** @returns the person whose direct messages with the bot a conversation is; undefined where it is not known */
  personOfDirectMessages(conversationId: string): Promise<string | undefined>;
}

/** What Slack delivered: who acted, and where. Modals, answers and suggestions are for them alone. */
interface Acting {
  /** Empty where nobody did. */
  personId: string;
  conversationId: string | undefined;
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs the handling of a delivery, of which every call of Slack then knows who acted. */
export function whileActing<Result>({ personId, conversationId }: Acting, handle: () => Result): Result {
  return acting.run({ personId, conversationId }, handle);
}

/**
 * The language of who reads what a call shows: the person for whom alone it is, or the channel. Never of who acted, except where
 * they are the reader.
 *
 * @param method of the Web API; undefined for a response URL and an acknowledgement
 */
export async function languageOfReader(
  readers: Readers,
  method: string | undefined,
  args: Readonly<Record<string, unknown>>,
): Promise<Language | undefined> {
  const { personId = '', conversationId } = acting.getStore() ?? {};
  const ofPerson = async (id: unknown) =>
    typeof id === 'string' && id !== '' ? readers.languageOfPerson(id) : undefined;
  if (method === undefined)
    return args['response_type'] === 'in_channel' ? ofConversation(conversationId) : ofPerson(personId);
  if (method === 'chat.postEphemeral') return ofPerson(args['user']);
  if (method.startsWith('views.')) return ofPerson(args['user_id'] ?? personId);
  return ofConversation(args['channel'] ?? args['channel_id']);

  async function ofConversation(id: unknown): Promise<Language | undefined> {
    if (typeof id !== 'string') return ofPerson(personId);
    if (/^[UW]/.test(id)) return ofPerson(id);
    if (!id.startsWith('D')) return readers.languageOfChannel(id);
    return ofPerson((await readers.personOfDirectMessages(id)) ?? personId);
  }
}
