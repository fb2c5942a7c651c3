import { plainName } from '../../directory/names.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { ErasingEvent, PersonToErase } from '../../domain/erasing.ts';
import { eraserOf } from '../../domain/erasure.ts';
import { erasingQueue } from '../../domain/queue-names.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { Mail } from '../../durable/mail.ts';
import type { Erasing } from '../../operations/services/people.ts';
import type { User } from '../../quiz-api/users.ts';
import type { AuditTrail, Cleansing } from '../../storage/storage.ts';
import { erasingMachine } from './erasing-machine.ts';

/** What all entries about erasing have in place of a subscription. */
const erasingEntries = 'erasing';

/** Erases people who have left the account for good. */
export function createErasing(deps: {
  trail: Pick<AuditTrail, 'namesOf' | 'erase'>;
  cleansing: Cleansing;
  mail: Mail;
  /** The users of the account. */
  users: () => Promise<readonly User[]>;
  isGone: (userId: string) => Promise<boolean>;
  /** Erases what a person chose on the platform. */
  eraseChoices: (personId: string) => Promise<void>;
  record: (teamId: string, entry: AuditEntry) => Promise<void>;
  newId: () => string;
  now: () => number;
}): { service: (teamId: string) => Erasing; machine: AnyMachine } {
  const { trail, cleansing, mail, now } = deps;

  const put = async (teamId: string, userId: string, event: ErasingEvent) =>
    mail.put([
      {
        queue: erasingQueue(teamId, userId),
        subscriptionId: erasingEntries,
        at: now(),
        content: { kind: 'erasing-event', event },
      },
    ]);

  async function hasNamesake({ userId, names }: PersonToErase): Promise<boolean> {
    const own = new Set(names.map((name) => plainName(name.join(' '))));
    const others = (await deps.users()).filter(({ user_id }) => user_id !== userId);
    return others.some((user) => own.has(plainName(`${user.first_name} ${user.last_name}`)));
  }

  return {
    service: (teamId) => ({
      begin: async ({ by, ...person }) => put(teamId, person.userId, { kind: 'begin', person, by }),
      goOn: async (userId) => put(teamId, userId, { kind: 'go on' }),
    }),
    machine: erasingMachine({
      ...deps,
      async known(teamId, person) {
        const names = await trail.namesOf(teamId, person.userId);
        return { ...person, names: [...person.names, ...names.map((name) => [name, ''] as const)] };
      },
      async erase(teamId, person) {
        const { userId, personId, names, addresses } = person;
        if (personId !== undefined) await deps.eraseChoices(personId);
        const eraser = eraserOf({
          ids: [userId, ...(personId === undefined ? [] : [personId])],
          names,
          addresses,
          hasNamesake: await hasNamesake(person),
        });
        return (await trail.erase(teamId, userId, eraser.isAbout)) + (await cleansing.rewrite(eraser.rewrite));
      },
      compact: cleansing.compact,
    }),
  };
}
