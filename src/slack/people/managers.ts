import { minuteMs, hourMs, dayMs } from '../../domain/durations.ts';
import type { TeamProfileGetResponse, WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import { createPace } from '../../time/timers.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { ManagersOf, NoManagers } from '../../domain/managers.ts';
import type { Log } from '../../observability/log.ts';
import { callSlack } from '../errors.ts';
import type { People } from './people.ts';

/** Whom profiles name, by workspace and person; null: nobody. `fieldId`: the field that was read. */
type KeptManagers = Pick<Keyv<{ fieldId: string; managerId: string | null }>, 'get' | 'set' | 'delete'>;

export type Managers = ReturnType<typeof createManagers>;

const profileTtlMs = dayMs;
/** Labels are heavily rate-limited, so fields are asked for by themselves: https://docs.slack.dev/reference/methods/users.profile.get */
const fieldTtlMs = hourMs;
/** An administrator who mends the field need not wait for long. */
const problemTtlMs = 10 * minuteMs;
/** Below the 100 a minute of `users.profile.get`: https://docs.slack.dev/apis/web-api/rate-limits */
const callPace = { everyMs: 1_000, burst: 60 };
const askedAtOnce = 4;
const asksAgainAfterMs = 30_000;

type Field = { id: string } | { problem: NoManagers };

/**
 * Finds managers by a custom field of profiles, which `users.info` does not have. Profiles count for a day.
 *
 * @param deps.field as in `managerFieldIn`
 */
export function createManagers(deps: {
  client: WebClient;
  field: string | undefined;
  kept: KeptManagers;
  people: Pick<People, 'of' | 'knows'>;
  teamId: () => string | undefined;
  log: Log;
  now: () => number;
}) {
  const { client, kept, now } = deps;
  const pace = createPace({ ...callPace, now });
  const keyOf = (personId: string) => `${deps.teamId() ?? ''}:${personId}`;
  let known: { field: Field; until: number } | undefined;

  return {
    /** Why Slack names nobody’s manager; undefined where it does, and before the first question. */
    problem: () => (known && 'problem' in known.field ? known.field.problem : undefined),
    /** Reads the profile of a person again who may have changed. */
    async forget(personId: string): Promise<void> {
      await kept.delete(keyOf(personId));
    },
    async managersOf(personIds: readonly string[]): ReturnType<ManagersOf> {
      const managers = new Map<string, string | null>();
      try {
        const field = await fieldNow();
        if ('problem' in field)
          return { managers: new Map(personIds.map((personId) => [personId, null])), problem: field.problem };
        const left = await findKnown(personIds, field.id, managers);
        await findMore(left, field.id, managers);
      } catch (error) {
        deps.log.warn({ error }, 'Slack does not say who is whose manager; it is asked again');
        const pauseMs = (error instanceof PlatformError && error.retryAfterMs) || asksAgainAfterMs;
        return { managers, askAgainAt: now() + pauseMs };
      }
      return managers.size === new Set(personIds).size
        ? { managers }
        : { managers, askAgainAt: now() + asksAgainAfterMs };
    },
  };

  async function fieldNow(): Promise<Field> {
    if (known && now() < known.until) return known.field;
    const field = await readField();
    known = { field, until: now() + ('problem' in field ? problemTtlMs : fieldTtlMs) };
    return field;
  }

  async function readField(): Promise<Field> {
    try {
      const { profile } = await callSlack(async () => client.team.profile.get({}));
      return managerFieldIn(profile?.fields ?? [], deps.field);
    } catch (error) {
      if (error instanceof PlatformError && error.code === 'missing_scope') return { problem: 'missing_scope' };
      throw error;
    }
  }

  /** @returns the people whose profiles have to be read */
  async function findKnown(
    personIds: readonly string[],
    fieldId: string,
    managers: Map<string, string | null>,
  ): Promise<string[]> {
    const left: string[] = [];
    for (const personId of new Set(personIds)) {
      const found = await kept.get(keyOf(personId));
      if (found?.fieldId === fieldId) await settle(personId, found.managerId, managers);
      else left.push(personId);
    }
    return left;
  }

  /** Reads as many profiles as may be read now. */
  async function findMore(
    personIds: readonly string[],
    fieldId: string,
    managers: Map<string, string | null>,
  ): Promise<void> {
    const left = [...personIds];
    const work = async () => {
      while (left.length > 0 && pace.turn('call') === undefined) {
        const personId = left.shift()!;
        const managerId = await readManager(personId, fieldId);
        await kept.set(keyOf(personId), { fieldId, managerId }, profileTtlMs);
        await settle(personId, managerId, managers);
      }
    };
    await Promise.all(Array.from({ length: askedAtOnce }, work));
  }

  /** A field can hold several people; the first counts. */
  async function readManager(personId: string, fieldId: string): Promise<string | null> {
    try {
      const { profile } = await callSlack(async () => client.users.profile.get({ user: personId }));
      const fields: Readonly<Record<string, { value?: string } | undefined>> = profile?.fields ?? {};
      return /[UW][A-Z0-9]+/.exec(fields[fieldId]?.value ?? '')?.[0] ?? null;
    } catch (error) {
      if (error instanceof PlatformError && unknownPerson.has(error.code)) return null;
      throw error;
    }
  }

  /** Where the manager has to be asked about, and may not be now, the answer stays unknown. */
  async function settle(
    personId: string,
    managerId: string | null,
    managers: Map<string, string | null>,
  ): Promise<void> {
    if (managerId === null || managerId === personId) {
      managers.set(personId, null);
      return;
    }
    if (!(await deps.people.knows(managerId)) && pace.turn('call') !== undefined) return;
    const { outsider } = await deps.people.of(managerId);
    managers.set(personId, outsider === undefined ? managerId : null);
  }
}

/** https://docs.slack.dev/reference/methods/users.profile.get#errors */
const unknownPerson: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

type ProfileField = NonNullable<NonNullable<TeamProfileGetResponse['profile']>['fields']>[number];

const usualLabel = 'manager';

/**
 * Chooses the field of profiles that names a person’s manager. Unless it is configured, only a field counts that people cannot
 * edit themselves. https://docs.slack.dev/reference/methods/team.profile.get
 *
 * @param configured its label, or its ID (`Xf…`); undefined: the field “Manager”
 */
export function managerFieldIn(
  fields: readonly ProfileField[],
  configured: string | undefined,
): { id: string; label: string } | { problem: NoManagers } {
  const known = fields.flatMap((field) => (field.id === undefined ? [] : [{ ...field, id: field.id }]));
  const named = known.filter(({ id, label }) => id === configured || isSame(label, configured ?? usualLabel));
  // The other direction of such a field holds whom a person manages.
  const ofPeople = named.filter(({ type, is_inverse: isInverse }) => type === 'user' && !isInverse);
  const [chosen] =
    configured === undefined ? ofPeople.filter((field) => !field.is_hidden && isLocked(field)) : ofPeople;
  if (chosen !== undefined) return { id: chosen.id, label: chosen.label ?? chosen.id };
  if (configured !== undefined) return { problem: named.length > 0 ? 'not_people' : 'unknown_field' };
  return { problem: ofPeople.some((field) => !isLocked(field)) ? 'editable' : 'no_field' };
}

function isSame(label: string | undefined, wanted: string): boolean {
  return label?.trim().toLowerCase() === wanted.trim().toLowerCase();
}

/** Slack also sends 1 for true, and null for no options. A field that the company’s directory fills is changed there. */
function isLocked({ options, permissions }: ProfileField): boolean {
  return Boolean(options?.is_protected || options?.is_scim) && !permissions?.ui;
}
