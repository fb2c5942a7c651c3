import { ground } from './ground.ts';
import { approvals } from './approvals.ts';
import { batches } from './batches.ts';
import { campaigns } from './campaigns.ts';
import { doors } from './doors.ts';
import { durable } from './durable.ts';
import { rights } from './rights.ts';
import type { Mend } from './mend.ts';
import { tenants } from './tenants.ts';
import { webhooks } from './webhooks.ts';

/** Every fault that can be planted, by room of the bot: each breaks a promise of the documents, and something finds it. */
export const mends: readonly Mend[] = [
  ...approvals,
  ...batches,
  ...campaigns,
  ...doors,
  ...durable,
  ...ground,
  ...rights,
  ...tenants,
  ...webhooks,
];
