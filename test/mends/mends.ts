import { account, ground } from './ground.ts';
import { approvals } from './approvals.ts';
import { batches, imports } from './batches.ts';
import { campaigns } from './campaigns.ts';
import { delivery } from './delivery.ts';
import { doors } from './doors.ts';
import { durable } from './durable.ts';
import { kernel, rights } from './rights.ts';
import type { Mend } from './mend.ts';
import { obligations } from './obligations.ts';
import { results } from './results.ts';
import { tenants } from './tenants.ts';
import { webhooks } from './webhooks.ts';

/** Every fault that can be planted, by room of the bot: each breaks a promise of the documents, and something finds it. */
export const mends: readonly Mend[] = [
  ...account,
  ...approvals,
  ...batches,
  ...campaigns,
  ...delivery,
  ...doors,
  ...durable,
  ...ground,
  ...imports,
  ...kernel,
  ...obligations,
  ...results,
  ...rights,
  ...tenants,
  ...webhooks,
];
