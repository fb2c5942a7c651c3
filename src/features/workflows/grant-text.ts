import { createHmac, timingSafeEqual } from 'node:crypto';
import { steps } from './steps.ts';

/** What a text stands for: a person lends their rights to a kind of step of this app, in this workspace. */
export interface GrantClaim {
  teamId: string;
  /** The platform’s ID of the app. */
  appId: string;
  /** The name of the step. */
  step: string;
  personId: string;
  /** Milliseconds since the epoch; no other grant of the person has it. */
  lentAt: number;
}

/** Signs the texts that steps carry, which only the bot can make, and reads them. */
export interface GrantTexts {
  textOf(claim: GrantClaim): string;
  /** Undefined for any other text, and for a text of another workspace or app. */
  read(text: string, where: Pick<GrantClaim, 'teamId' | 'appId'>): GrantClaim | undefined;
}

/** @param secret known to every instance, and to nobody else; texts made with another secret say nothing */
export function createGrantTexts(secret: string): GrantTexts {
  const key = createHmac('sha256', secret).update('invigilator: whose rights a step of a workflow runs with').digest();
  const signatureOf = ({ teamId, appId, step, personId, lentAt }: GrantClaim) =>
    createHmac('sha256', key)
      .update([teamId, appId, step, personId, lentAt.toString(36)].join('/'))
      .digest();

  return {
    textOf: (claim) => `${grantIdOf(claim)}.${signatureOf(claim).toString('base64url')}`,
    read(text, where) {
      const [, personId, moment, given] = /^([A-Z0-9]{1,30})\.([a-z0-9]{1,9})\.([\w-]{43})$/.exec(text) ?? [];
      if (personId === undefined || moment === undefined || given === undefined) return undefined;
      const signature = Buffer.from(given, 'base64url');
      // The text does not say its step: a choice has little room, and there are few steps to try.
      return steps
        .map(({ name }) => ({ ...where, step: name, personId, lentAt: Number.parseInt(moment, 36) }))
        .find((claim) => timingSafeEqual(signature, signatureOf(claim)));
    },
  };
}

export function grantIdOf({ personId, lentAt }: Pick<GrantClaim, 'personId' | 'lentAt'>): string {
  return `${personId}.${lentAt.toString(36)}`;
}

export function personOfGrant(grantId: string): string {
  return grantId.split('.')[0] ?? '';
}
