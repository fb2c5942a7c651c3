import type { EvidenceOrder, NoEvidence } from '../../../src/domain/evidence-order.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { evidenceOrdersMessage } from '../../../src/slack/views/campaigns/evidence-orders.ts';
import { monday } from '../../support/builders/campaigns.ts';
import type { Sample } from '../sample.ts';

const offered: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));
const order: EvidenceOrder = {
  id: 'o-1',
  by: 'UADA',
  to: 'UTOM',
  toName: 'Tom Baker',
  campaign: { id: 'c-1', quizName: 'Fire safety' },
  timeZone: 'Europe/Berlin',
  orderedAt: monday,
  month: 2026 * 12 + 9,
};
const forAll: EvidenceOrder = { ...order, id: 'o-2', to: 'UADA', toName: 'Ada', campaign: null };

const whys: readonly NoEvidence[] = ['nothing ran', 'over', 'orderer', 'receiver', 'unreachable'];
const readersOf = (why: NoEvidence) =>
  why === 'unreachable' ? ['UADA'] : why === 'nothing ran' ? ['UTOM'] : ['UTOM', 'UADA'];

export const samples: readonly Sample[] = [
  {
    when: 'The evidence packs that are sent every month',
    shown: evidenceOrdersMessage({ kind: 'evidence-orders', orders: [order, forAll] }, offered),
  },
  {
    when: 'No evidence pack is sent every month',
    shown: evidenceOrdersMessage({ kind: 'evidence-orders', orders: [] }, offered),
  },
  ...whys.flatMap((why) =>
    readersOf(why).map((reader): Sample => ({
      when: `There is no evidence pack for a month (${why}), for ${reader === 'UTOM' ? 'the person who gets it' : 'the person who ordered it'}`,
      shown: announcementMessage({ kind: 'no-evidence', order, why, reader }),
    })),
  ),
  {
    when: 'There is no evidence pack on all campaigns for a month, since the person who ordered it for themselves lost the right',
    shown: announcementMessage({ kind: 'no-evidence', order: forAll, why: 'orderer', reader: 'UADA' }),
  },
];
