export interface BenchRow { name: string; figure: string; goal?: string; met?: boolean }
