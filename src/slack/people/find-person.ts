import type { WebClient } from '@slack/web-api';
import type { FindRecipient } from '../../features/alerts/direct-messages/person-view.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';
import { lookUpPerson, type NoteUsers, type OwnWorkspace } from './people.ts';

/**
 * Finds a person of the workspace by their ID in Slack, as somebody who can be written to, whether they have a user in the quiz
 * account or not: guests, bots, deactivated people and those of other workspaces are nobody.
 *
 * @throws {PlatformError} where Slack fails
 */
export interface FindPerson {
  (personId: string): ReturnType<FindRecipient>;
  /** Whether the answer is at hand, without a call of Slack. */
  knows(personId: string): boolean;
  /** Asks again about a person who may have changed. */
  forget(personId: string): void;
}

const knownForMs = 10 * 60_000;
const knownAtMost = 10_000;

/** @param deps.timeZone of people whose zone Slack does not tell */
export function createFindPerson(deps: {
  client: WebClient;
  own: () => Promise<OwnWorkspace>;
  note?: NoteUsers;
  timeZone: string;
  now: () => number;
}): FindPerson {
  const { now } = deps;
  const known = new Map<string, { found: Awaited<ReturnType<FindRecipient>>; askedAt: number }>();

  async function find(personId: string): ReturnType<FindRecipient> {
    const fresh = freshFor(personId);
    if (fresh !== undefined) return fresh;
    const { outsider, timeZone } = await lookUpPerson(deps.client, personId, deps.own, deps.note);
    const found =
      outsider === undefined
        ? ({ kind: 'found', personId, timeZone: knownTimeZone(timeZone) ?? deps.timeZone } as const)
        : ({ kind: 'nobody', reason: 'no_person' } as const);
    if (known.size >= knownAtMost) known.clear();
    known.set(personId, { found, askedAt: now() });
    return found;
  }

  function freshFor(personId: string): Awaited<ReturnType<FindRecipient>> | undefined {
    const last = known.get(personId);
    return last && last.askedAt <= now() && now() < last.askedAt + knownForMs ? last.found : undefined;
  }

  return Object.assign(find, {
    knows: (personId: string) => freshFor(personId) !== undefined,
    forget: (personId: string) => void known.delete(personId),
  });
}
