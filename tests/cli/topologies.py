# SPDX-License-Identifier: Apache-2.0
"""Machines for tests, as hwloc's XML: sockets, NUMA nodes, cores and PCI trees made from short descriptions.

topologies.py NAME      prints one, for lstopo -i and parseval launch --topology"""
import itertools
import sys

GPU, NIC, NVME = "0302 [10de:20b0] [10de:144e] a1", "0207 [15b3:101b] [15b3:0007] 00", "0108 [144d:a824] [144d:a801] 00"


class Machine:
    """`sockets` sockets of `numas` NUMA nodes (0: the socket has one, and no part of its own) of `cores` cores;
    `second`: each with a second node, of another kind of memory."""

    def __init__(self, host, sockets, numas, cores, threads=2, gpu_name="NVIDIA A100-SXM4-40GB", second=False):
        self.host, self.sockets, self.numas, self.cores, self.threads = host, sockets, numas, cores, threads
        self.gpu_name, self.second = gpu_name, second
        self.count = sockets * max(numas, 1) * cores
        self.trees = {}
        self.index = itertools.count(1)

    def bus(self, numa, *switches):
        """Hangs a host bridge on a NUMA node (None: on the machine), with one PCI switch for each list of devices."""
        self.trees.setdefault(numa, []).append(switches)
        return self

    def cpus(self, first, cores):
        """Hardware threads of some cores, numbered as Linux does: second threads after all first ones."""
        mask = 0
        for thread in range(self.threads):
            mask |= ((1 << cores) - 1) << (first + thread * self.count)
        return mask

    def object(self, kind, attributes, *children):
        text = " ".join(f'{key}="{value}"' for key, value in attributes.items())
        return f'<object type="{kind}" gp_index="{next(self.index)}" {text}>' + "".join(children) + "</object>\n"

    def part(self, what, os_index, cpus, nodes, *children, **more):
        words = "0x" + f"{cpus:x}" if cpus < 1 << 32 else ",".join(
            f"0x{cpus >> shift & 0xffffffff:08x}" for shift in range((cpus.bit_length() - 1) // 32 * 32, -1, -32))
        node_words = f"0x{nodes:x}"
        sets = {"cpuset": words, "complete_cpuset": words, "nodeset": node_words, "complete_nodeset": node_words}
        return self.object(what, {"os_index": os_index, **sets, **more}, *children)

    def nodes(self, node):
        return 1 << node | (1 << node + self.sockets * max(self.numas, 1) if self.second else 0)

    def core(self, number, node):
        threads = [number + t * self.count for t in range(self.threads)]
        return self.part("Core", number, self.cpus(number, 1), self.nodes(node),
                         *[self.part("PU", t, 1 << t, self.nodes(node)) for t in threads])

    def numa(self, node):
        first = node * self.cores
        cpus = self.cpus(first, self.cores)
        memory = [self.part("NUMANode", n, cpus, 1 << n, local_memory=128 << 30)
                  for n in range(self.nodes(node).bit_length()) if self.nodes(node) >> n & 1]
        inside = [*memory, *[self.core(c, node) for c in range(first, first + self.cores)], *self.devices(node)]
        return "".join(inside) if self.numas == 0 else self.part("Group", node, cpus, self.nodes(node), *inside)

    def device(self, name):
        kind, address, *state = name.split("@")[0], *name.split("@")[1].split("/")
        info, attributes = "", {"pci_busid": address, "pci_link_speed": "15.75"}
        if kind == "gpu":
            facts = {"PCIDevice": self.gpu_name, "NVIDIAUUID": f"GPU-{address[5:7]}c0ffee-0000-0000-0000-000000000000"}
            return self.object("PCIDev", {**attributes, "pci_type": GPU},
                               *[f'<info name="{key}" value="{value}"/>' for key, value in facts.items()])
        if kind.startswith("mlx"):
            info = f'<info name="Port1State" value="{1 if "down" in state else 4}"/>'
            inside = self.object("OSDev", {"name": kind, "osdev_type": 3}, info)
            return self.object("PCIDev", {**attributes, "pci_type": NIC}, inside)
        inside = self.object("OSDev", {"name": kind, "osdev_type": 0})
        return self.object("PCIDev", {**attributes, "pci_type": NVME}, inside)

    def devices(self, node):
        for switches in self.trees.get(node, []):
            bus = int(switches[0][0].split("@")[1][5:7], 16) - 1
            last = max(int(d.split("@")[1][5:7], 16) for s in switches for d in s)
            inside = []
            for devices in switches:
                buses = [int(d.split("@")[1][5:7], 16) for d in devices]
                switch = {"bridge_type": "1-1", "depth": 1, "bridge_pci": f"0000:[{min(buses):02x}-{max(buses):02x}]",
                          "pci_busid": f"0000:{bus:02x}:{len(inside) + 1:02x}.0",
                          "pci_type": "0604 [1000:c010] [1000:a096] b0", "pci_link_speed": "0"}
                inside.append(self.object("Bridge", switch, *[self.device(d) for d in devices]))
            root = {"bridge_type": "0-1", "depth": 0, "bridge_pci": f"0000:[{bus:02x}-{last:02x}]"}
            yield self.object("Bridge", root, *inside)

    def xml(self):
        numas = max(self.numas, 1)
        everything, nodes = self.cpus(0, self.count), sum(self.nodes(n) for n in range(self.sockets * numas))
        sockets = []
        for s in range(self.sockets):
            held = range(s * numas, (s + 1) * numas)
            sockets.append(self.part("Package", s, self.cpus(s * numas * self.cores, numas * self.cores),
                                     sum(self.nodes(n) for n in held), *[self.numa(n) for n in held]))
        root = self.part("Machine", 0, everything, nodes, f'<info name="HostName" value="{self.host}"/>', *sockets,
                         *self.devices(None))
        words = root.split('cpuset="')[1].split('"')[0]
        root = root.replace(">", f' allowed_cpuset="{words}" allowed_nodeset="0x{nodes:x}">', 1)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n'
        return f'{head}<topology version="2.0">\n{root}</topology>\n'


# Four NUMA nodes a socket. GPUs hang on every second node, against the order of nodes; two GPUs and two cards a switch.
# Cards for storage, 4, 5, 10, 11, hang on switches of their own.
DGX_A100 = (Machine("dgx-a100", 2, 4, 16)
            .bus(3, ["gpu@0000:07:00.0", "mlx5_0@0000:0c:00.0", "gpu@0000:0f:00.0", "mlx5_1@0000:12:00.0"])
            .bus(1, ["gpu@0000:47:00.0", "mlx5_2@0000:4b:00.0", "gpu@0000:4e:00.0", "mlx5_3@0000:54:00.0"])
            .bus(0, ["mlx5_4@0000:61:00.0", "mlx5_5@0000:61:00.1"])
            .bus(7, ["gpu@0000:87:00.0", "mlx5_6@0000:8d:00.0", "gpu@0000:90:00.0", "mlx5_7@0000:94:00.0"])
            .bus(5, ["gpu@0000:b7:00.0", "mlx5_8@0000:ba:00.0", "gpu@0000:bd:00.0", "mlx5_9@0000:cc:00.0"])
            .bus(4, ["mlx5_10@0000:e1:00.0", "mlx5_11@0000:e1:00.1"]))

# A switch for each GPU with its card; names of cards not in the order of GPUs, one that is down.
H200_2 = (Machine("h200-2", 2, 0, 8, gpu_name="NVIDIA H200")
          .bus(0, ["mlx5_1@0000:18:00.0", "gpu@0000:1b:00.0"], ["mlx5_2@0000:29:00.0/down"])
          .bus(1, ["gpu@0000:9b:00.0", "mlx5_0@0000:9c:00.0"]))

LAPTOP = Machine("laptop", 1, 0, 2, 1).bus(None, ["nvme0n1@0000:01:00.0"])
NO_GPU = Machine("cpu-node", 2, 0, 8, 1).bus(0, ["mlx5_0@0000:3b:00.0"]).bus(1, ["mlx5_1@0000:af:00.0"])
# A virtual machine: everything on one flat bus.
FLAT = Machine("flat-vm", 1, 0, 8, 1).bus(None, ["gpu@0000:05:00.0", "gpu@0000:06:00.0"])
# Two Grace Hoppers: memory of the GPUs is nodes 2 and 3.
GH200_2 = (Machine("gh200-2", 2, 0, 4, 1, "NVIDIA GH200", second=True)
           .bus(0, ["gpu@0009:01:00.0"]).bus(1, ["gpu@0019:01:00.0"]))

MACHINES = {m.host: m for m in (DGX_A100, H200_2, LAPTOP, NO_GPU, FLAT, GH200_2)}

if __name__ == "__main__":
    print(MACHINES[sys.argv[1]].xml(), end="")
