import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import type { WorkflowEvent } from '../../domain/workflow.ts';

/** What all entries of workflows have in place of a subscription. */
const workflowEntries = 'workflows';

/** @param at now, in milliseconds since the epoch */
export function workflowEntry(queue: string, event: WorkflowEvent, at: number): NewQueueEntry {
  return { queue, subscriptionId: workflowEntries, at, content: { kind: 'workflow-event', event } };
}
