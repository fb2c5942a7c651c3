import { batches } from './batches.ts';
import { campaigns } from './campaigns.ts';
import { doors } from './doors.ts';
import { durable } from './durable.ts';
import type { Mend } from './mend.ts';
import { obligations } from './obligations.ts';
import { tenants } from './tenants.ts';

/** Every planted fault, by room of the bot. */
export const mends: readonly Mend[] = [...batches, ...campaigns, ...doors, ...durable, ...obligations, ...tenants];
