/** `71.4 %`. */
export function percent(value: number): string {
  return `${rounded(value)} %`;
}

export function rounded(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}
