import { expect, test } from 'vitest';
import { dateFormat } from '../../src/time/wall-clock.ts';

const day = { day: 'numeric', month: 'short' } as const;
const hour = { hour: '2-digit', minute: '2-digit' } as const;
const moment = Date.UTC(2026, 10, 21, 23, 30);

test('the format of a zone is made once, and each zone and way of writing has its own', () => {
  expect(dateFormat('en-GB', day, 'UTC')).toBe(dateFormat('en-GB', day, 'UTC'));
  const written = [
    dateFormat('en-GB', day, 'UTC'),
    dateFormat('en-GB', day, 'Asia/Tokyo'),
    dateFormat('en-US', day, 'UTC'),
    dateFormat('en-GB', hour, 'UTC'),
  ].map((format) => format.format(moment));
  expect(written).toEqual(['21 Nov', '22 Nov', 'Nov 21', '23:30']);
});

test('of more zones than there usually are, formats are made again', () => {
  const first = dateFormat('en-GB', day, 'UTC');
  for (const zone of Intl.supportedValuesOf('timeZone'))
    expect(dateFormat('en-GB', day, zone).resolvedOptions().day).toBe('numeric');
  expect(dateFormat('en-GB', day, 'UTC')).not.toBe(first);
});
