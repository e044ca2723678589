"""Of which file of the sources each address of a program is, by the DWARF that a debug build has."""

import pathlib
import struct


class LineTable:
    def __init__(self, program):
        self.data = pathlib.Path(program).read_bytes()
        offset, = struct.unpack_from("<Q", self.data, 0x28)
        size, count, names = struct.unpack_from("<HHH", self.data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + number * size) for number in range(count)]
        self.sections = {self.text(headers[names][4] + header[0]): header[4:6] for header in headers}

    def text(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def content(self, name):
        at, size = self.sections[name]
        return self.data[at:at + size]

    def functions(self):
        """Where each function begins, in order, and its name."""
        names = self.sections[".strtab"][0]
        return sorted((value, self.text(names + name)) for name, info, _, section, value, size
                      in struct.iter_unpack("<IBBHQQ", self.content(".symtab")) if info & 15 == 2 and section and size)

    def rows(self):
        """Each address at which a line's code begins with its file, or with none where the compiler made the code up."""
        section, found, at = self.content(".debug_line"), {}, 0
        while at < len(section):
            length, version = struct.unpack_from("<IH", section, at)
            # As Swift's compiler writes it; what clang has made of C is none of the sources.
            if version == 4:
                Unit(section, at + 6, at + 4 + length).run(found)
            at += 4 + length
        return found


class Unit:
    """The line number program of one unit, of DWARF 4 and 32 bits."""

    def __init__(self, section, at, end):
        self.section, self.end = section, end
        length, self.unit, _, _, self.base, self.range, self.first = struct.unpack_from("<IBBBbBB", section, at)
        self.program, self.at = at + 4 + length, at + 10
        self.lengths = [0, *self.take(self.first - 1)]
        folders, self.files = ["."], [""]
        while folder := self.string():
            folders.append(folder)
        while name := self.string():
            folder, _, _ = self.number(), self.number(), self.number()
            self.files.append(str(pathlib.PurePosixPath(folders[folder], name)))

    def take(self, count):
        self.at += count
        return self.section[self.at - count:self.at]

    def number(self):
        value = shift = 0
        while True:
            byte = self.section[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        begin = self.at
        value = self.number()
        bits = 7 * (self.at - begin)
        return value - (1 << bits) if value >> (bits - 1) else value

    def string(self):
        end = self.section.index(b"\0", self.at)
        text = self.section[self.at:end].decode()
        self.at = end + 1
        return text

    def run(self, found):
        """Adds the addresses of the unit."""
        section, end, first, base, span, unit = self.section, self.end, self.first, self.base, self.range, self.unit
        files, address, file, line = self.files, 0, 1, 1
        self.at = self.program
        while self.at < end:
            code = section[self.at]
            self.at += 1
            if code >= first:
                code -= first
                address += code // span * unit
                line += base + code % span
                found[address] = files[file] if line else None
            elif code == 0:
                length = self.number()
                after, code = self.at + length, section[self.at]
                if code == 1:
                    address, file, line = 0, 1, 1
                elif code == 2:
                    address, = struct.unpack_from("<Q", section, self.at + 1)
                self.at = after
            elif code == 1:
                found[address] = files[file] if line else None
            elif code == 2:
                address += self.number() * unit
            elif code == 3:
                line += self.signed()
            elif code == 4:
                file = self.number()
            elif code == 8:
                address += (255 - first) // span * unit
            elif code == 9:
                address += struct.unpack("<H", self.take(2))[0]
            else:
                for _ in range(self.lengths[code]):
                    self.number()
