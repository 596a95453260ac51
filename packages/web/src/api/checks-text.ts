/** "1 check", "3 checks". */
export const checksText = (count: number): string => (count === 1 ? '1 check' : `${count} checks`)
