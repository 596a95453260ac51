export interface SchedulingLog {
  info(text: string): void
  error(details: object, text: string): void
}
