#!/bin/sh
# Gives eth0 the MTU of Azure's network, now and after every boot: set-mtu.sh BYTES. Fails when eth0 has not got it.
#
# With accelerated networking a second interface has eth0's MAC address. Only eth0 has this driver, so netplan cannot
# take the other one for it; its MTU follows that of eth0.
set -eu
mtu="$1"
device=/sys/class/net/eth0
mac="$(cat "$device/address")"
driver="$(basename "$(readlink "$device/device/driver")")"

# Read after cloud-init's own file and merged into its eth0.
cat >/etc/netplan/90-eth0-mtu.yaml <<EOF
network:
  version: 2
  ethernets:
    eth0:
      match:
        macaddress: "$mac"
        driver: $driver
      set-name: eth0
      dhcp4: true
      mtu: $mtu
EOF
chmod 600 /etc/netplan/90-eth0-mtu.yaml
# For the next boot; for now without `netplan apply`, which takes the network away for a moment.
netplan generate
ip link set dev eth0 mtu "$mtu"

now="$(cat "$device/mtu")"
if [ "$now" != "$mtu" ]; then
  echo "eth0 has an MTU of $now bytes instead of $mtu: larger packets to Windows nodes would be lost" >&2
  exit 1
fi
echo "eth0 ($driver, $mac) has an MTU of $mtu bytes"
