// Joins class names; later Tailwind classes win over earlier ones.
import { type ClassValue, clsx } from 'clsx'
import { twMerge } from 'tailwind-merge'

/** Class names as one string, conflicts between Tailwind utilities settled in favour of the last. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes))
}
