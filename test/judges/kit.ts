/** What follows it is what ends a run. */
export const untilSign = 'until:';
