import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { ErasingEvent, PersonToErase } from '../../domain/queue-entry.ts';
import { addressId, createEraser, type Describe, type Eraser } from '../../domain/erasure.ts';
import { erasingQueue } from '../../domain/queue-names.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { Mail } from '../../durable/mail.ts';
import type { Erasing } from '../../operations/services/people.ts';
import type { AuditTrail, Cleansing } from '../../storage/storage.ts';
import { erasingMachine } from './erasing-machine.ts';

/** What all entries about erasing have in place of a subscription. */
const erasingEntries = 'erasing';
/** From the request to create somebody to their batch, and from its row to the message about it. */
const learnsAtMost = 4;

/** Erases people who have left the account for good. */
export function createErasing(deps: {
  trail: Pick<AuditTrail, 'erase'>;
  cleansing: Cleansing;
  mail: Mail;
  /** Says of what is stored whom it is about. */
  describe: Describe;
  isGone: (userId: string) => Promise<boolean>;
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

  /**
   * Others can know a person by something else than their IDs, such as the row of the file that they were created from. An ID of the platform
   * that a campaign has is not theirs any more where another user of the account has it.
   */
  async function erasedBy(person: PersonToErase): Promise<Eraser> {
    const { userId, personId, addresses } = person;
    const ids = [userId, personId, ...addresses.map(addressId)].filter((id) => id !== undefined);
    const eraser = createEraser(ids, deps.describe);
    for (let round = 0, isNew = true; isNew && round < learnsAtMost; round += 1) {
      isNew = false;
      await cleansing.rewrite((place, text) => {
        isNew = eraser.learn(place, text) || isNew;
        return text;
      });
    }
    for (const { id, userIds } of eraser.shared())
      if ((await Promise.all(userIds.map(deps.isGone))).includes(false)) eraser.forget(id);
    return eraser;
  }

  return {
    service: (teamId) => ({
      begin: async ({ by, ...person }) => put(teamId, person.userId, { kind: 'begin', person, by }),
      goOn: async (userId) => put(teamId, userId, { kind: 'go on' }),
    }),
    machine: erasingMachine({
      ...deps,
      async erase(teamId, person) {
        const eraser = await erasedBy(person);
        const ofTrail = await trail.erase(teamId, person.userId, eraser.known());
        return ofTrail + (await cleansing.rewrite(eraser.erase));
      },
      compact: cleansing.compact,
    }),
  };
}
