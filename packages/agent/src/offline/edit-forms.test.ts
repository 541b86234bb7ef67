import { describe, expect, it } from "vitest";
import { edited, editOf } from "./edit-forms.ts";

const edit = (text: string, message: string) => {
  const wanted = editOf(message);
  return wanted === null ? null : edited(text, wanted);
};

describe("edits in plain words", () => {
  it.each([
    ["milk, eggs\n", "Add butter to the file", "milk, eggs, butter\n"],
    ["- [ ] milk\n- [ ] eggs\n", "please add oat milk to my list.", "- [ ] milk\n- [ ] eggs\n- [ ] oat milk\n"],
    ["Dear Ada\n", "Append “Yours, Tom” to letter.md", "Dear Ada\nYours, Tom\n"],
    ["milk, eggs\n", "Füge Butter zur Liste hinzu", "milk, eggs, Butter\n"],
    ["milk, eggs\n", "Ajoute du beurre à la liste", "milk, eggs, du beurre\n"],
    ["Milk and milkshake\n", "Replace milk with oat milk", "oat milk and milkshake\n"],
    ["milk, eggs\n", "Ersetze milk durch Hafermilch", "Hafermilch, eggs\n"],
    ["milk, eggs, bread\n", "Remove eggs from the list", "milk, bread\n"],
    ["- milk\n- eggs\n", "delete eggs", "- milk\n"],
    ["milk\neggs\nrye bread\n", "delete the line with bread", "milk\neggs\n"],
    ["milk, eggs, bread\n", "remove the item bread", "milk, eggs\n"],
    ["- milk\n- eggs\n", "Lösche die Zeile mit eggs", "- milk\n"],
    ["milk, eggs\n", "Replace cheese with ham", null],
    ["milk, eggs\n", "What is in the file?", "milk, eggs\n"],
  ])("%j, %s", (text, message, changed) => {
    expect(edit(text, message)).toBe(changed);
  });

  it("are undone in each language", () => {
    for (const message of ["undo", "Undo that.", "Please revert the last change", "Mach das rückgängig", "Annule ça"])
      expect(editOf(message)?.kind).toBe("undo");
    expect(editOf("Kannst du die letzte Änderung rückgängig machen?")?.kind).toBe("undo");
    expect(editOf("How do I undo a fork?")).toBe(null);
  });

  it("other messages are no edits", () => {
    for (const message of ["How do I add a tool?", "Why did you replace it?", "Tea grows in Assam."])
      expect(editOf(message)).toBe(null);
  });
});
