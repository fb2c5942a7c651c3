import type { Subscription } from '../storage/subscription.ts';

/** Whether what a subscription wants to hear of is kept for now, and not posted. */
export function isPaused({ pause }: Pick<Subscription, 'pause'>, now: number): boolean {
  return pause !== null && (pause.until === null || pause.until > now);
}
