import type { Operation } from '../../operations/operation.ts';
import { listEvidenceOrders } from './list-evidence-orders.ts';
import { orderEvidence } from './order-evidence.ts';
import { sendEvidence } from './send-evidence.ts';
import { stopEvidence } from './stop-evidence.ts';

/** What people do with evidence, in the order of the help. */
export const evidenceOperations: readonly Operation[] = [sendEvidence, orderEvidence, listEvidenceOrders, stopEvidence];
