// Files that leave the page, and files that come into it.

export function download(text: string, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const largest = 1_000_000; // bytes

// The text of the chosen file; a problem is one sentence; null: none was chosen.
export async function readChosen(
  input: HTMLInputElement,
): Promise<{ name: string; text: string } | { problem: string } | null> {
  const file = input.files?.[0];
  input.files = new DataTransfer().files;
  if (file === undefined) return null;
  if (file.size > largest)
    return {
      problem: `${file.name} is ${file.size} bytes long: give a file of at most ${largest}.`,
    };
  return { name: file.name, text: await file.text() };
}
