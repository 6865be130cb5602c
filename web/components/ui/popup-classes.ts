// Looks shared by everything that floats above the page.

/** Frame of menus, selects and popovers. */
export const popupClasses =
  'z-50 overflow-hidden rounded-xl border border-border bg-surface text-foreground shadow-raised outline-none data-[state=open]:animate-in data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 data-[state=closed]:zoom-out-98 duration-100'

/** One row of a menu, select or palette (whose rows always carry `data-disabled`, true or false). */
export const menuItemClasses =
  'relative flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-disabled:not-data-[disabled=false]:pointer-events-none data-[highlighted]:bg-accent data-[selected=true]:bg-accent data-disabled:not-data-[disabled=false]:opacity-50 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0'

/** The dimmed page behind a modal. */
export const overlayClasses =
  'fixed inset-0 z-50 bg-black/40 data-[state=open]:animate-in data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0 duration-150 dark:bg-black/60'
