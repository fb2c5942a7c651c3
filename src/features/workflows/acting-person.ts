import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyv } from 'keyv';

/**
 * Texts that let a step act as a person. The platform says who publishes a workflow only while the step is set up, and not when it
 * runs, so the step carries what the bot made of it: the person’s ID and the day, which only the bot can sign. A text that no
 * step has used for 90 days counts no more.
 */
export interface ActingPersons {
  textFor(teamId: string, personId: string): string;
  /** The person of such a text, which counts as used now; undefined for any other text, and for a text of another workspace. */
  personIn(teamId: string, text: string): Promise<string | undefined>;
}

const dayMs = 24 * 60 * 60_000;
const unusedForMs = 90 * dayMs;

/**
 * @param deps.secret known to every instance, and to nobody else; texts made with another secret say nothing
 * @param deps.uses by workspace and hash of the text: when a step used it last
 */
export function createActingPersons({
  secret,
  uses,
  now,
}: {
  secret: string;
  uses: Pick<Keyv<number>, 'get' | 'set'>;
  now: () => number;
}): ActingPersons {
  const key = createHmac('sha256', secret).update('invigilator: who a step of a workflow acts as').digest();
  const signatureOf = (teamId: string, personId: string, day: string) =>
    createHmac('sha256', key).update(`${teamId}/${personId}/${day}`).digest();

  return {
    textFor(teamId, personId) {
      // The same all day, so that the choice in a step stays the same while it is edited.
      const day = Math.floor(now() / dayMs).toString(36);
      return `${personId}.${day}.${signatureOf(teamId, personId, day).toString('base64url')}`;
    },
    async personIn(teamId, text) {
      const [, personId, day, given] = /^([A-Z0-9]{1,30})\.([a-z0-9]{1,6})\.([\w-]{43})$/.exec(text) ?? [];
      if (personId === undefined || day === undefined || given === undefined) return undefined;
      if (!timingSafeEqual(Buffer.from(given, 'base64url'), signatureOf(teamId, personId, day))) return undefined;
      const use = `${teamId}:${createHash('sha256').update(text).digest('hex')}`;
      const usedAt = (await uses.get(use)) ?? Number.parseInt(day, 36) * dayMs;
      if (now() - usedAt >= unusedForMs) return undefined;
      await uses.set(use, now(), unusedForMs);
      return personId;
    },
  };
}
