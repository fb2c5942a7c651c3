import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Texts that let a step act as a person. The platform says who publishes a workflow only while the step is set up, and not when it
 * runs, so the step carries what the bot made of it: the person’s ID, which only the bot can sign. Nothing is stored.
 */
export interface ActingPersons {
  textFor(teamId: string, personId: string): string;
  /** The person of such a text; undefined for any other text, and for a text of another workspace. */
  personIn(teamId: string, text: string): string | undefined;
}

/** @param secret known to every instance, and to nobody else; texts made with another secret say nothing */
export function createActingPersons(secret: string): ActingPersons {
  const key = createHmac('sha256', secret).update('invigilator: who a step of a workflow acts as').digest();
  const signatureOf = (teamId: string, personId: string) =>
    createHmac('sha256', key).update(`${teamId}/${personId}`).digest();

  return {
    textFor: (teamId, personId) => `${personId}.${signatureOf(teamId, personId).toString('base64url')}`,
    personIn(teamId, text) {
      const [, personId, given] = /^([A-Z0-9]{1,30})\.([\w-]{43})$/.exec(text) ?? [];
      if (personId === undefined || given === undefined) return undefined;
      return timingSafeEqual(Buffer.from(given, 'base64url'), signatureOf(teamId, personId)) ? personId : undefined;
    },
  };
}
